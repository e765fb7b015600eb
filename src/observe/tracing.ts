import type { IncomingHttpHeaders } from 'node:http'
import type { BatchMetrics } from './projector-metrics.js'

export type Attributes = Record<string, string | number>

/** Records traces. The default records none; `otel.ts` is loaded only with an endpoint. */
export interface Tracer {
  readonly enabled: boolean
  /** Starts the span of a request, in the caller's trace if it sent one, and runs `then` in it. Call the result at the end. */
  startRequest(name: string, headers: IncomingHttpHeaders, then: () => void): (attributes: Attributes, failed: boolean) => void
  /** A span within the current one. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  /** A finished batch: a span with fold and commit in it. */
  recordBatch(batch: BatchMetrics): void
  stop(): Promise<void>
}

export const NO_TRACER: Tracer = {
  enabled: false,
  startRequest(_name, _headers, then) {
    then()
    return () => {}
  },
  span: (_name, _attributes, work) => work(),
  recordBatch() {},
  async stop() {},
}

/** OpenTelemetry is loaded only with an endpoint. */
export async function createTracer(endpoint: string | undefined): Promise<Tracer> {
  if (endpoint === undefined) return NO_TRACER
  const { OtelTracer } = await import('./otel.js')
  return new OtelTracer(endpoint)
}
