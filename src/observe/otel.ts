import type { IncomingHttpHeaders } from 'node:http'
import { type Attributes, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { errorMessage } from '../lib/message-text.js'
import type { BatchMetrics } from './projector-metrics.js'
import type { Tracer } from './tracing.js'

/** Sends traces by OTLP over HTTP. */
export class OtelTracer implements Tracer {
  readonly enabled = true
  readonly #provider: NodeTracerProvider
  readonly #tracer

  constructor(endpoint: string) {
    const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
    this.#provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'vitrine' }),
      spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1000 })],
    })
    this.#provider.register()
    this.#tracer = this.#provider.getTracer('vitrine')
  }

  startRequest(name: string, attributes: Attributes, headers: IncomingHttpHeaders, then: () => void) {
    const parent = propagation.extract(context.active(), headers)
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
    context.with(trace.setSpan(parent, span), then)
    return (result: Attributes, failed: boolean) => {
      span.setAttributes(result)
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
  }

  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    return this.#tracer.startActiveSpan(name, { attributes }, async (span) => {
      try {
        return await work()
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: errorMessage(error) })
        throw error
      } finally {
        span.end()
      }
    })
  }

  /** The batch ran in another thread, so its times are given. */
  recordBatch({ projection, from, to, lastEventId, parked, startedAt, foldMs, commitMs }: BatchMetrics): void {
    const folded = startedAt + foldMs
    const ended = folded + commitMs
    const attributes = { 'vitrine.projection': projection, 'vitrine.from': from, 'vitrine.to': to, 'vitrine.events': to - from }
    const batch = this.#tracer.startSpan('event batch', {
      kind: SpanKind.CONSUMER,
      startTime: startedAt,
      attributes: { ...attributes, 'vitrine.last_event': lastEventId ?? '', 'vitrine.parked': parked.map(({ eventId }) => eventId) },
      root: true,
    })
    this.#recordStep(batch, 'fold', startedAt, folded)
    this.#recordStep(batch, 'commit', folded, ended)
    batch.end(ended)
  }

  async stop(): Promise<void> {
    // An unreachable collector must not keep the process from stopping.
    await this.#provider.shutdown().catch(() => {})
  }

  #recordStep(parent: Span, name: string, startTime: number, endTime: number): void {
    this.#tracer.startSpan(name, { startTime }, trace.setSpan(context.active(), parent)).end(endTime)
  }
}
