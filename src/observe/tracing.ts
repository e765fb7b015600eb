import type { IncomingHttpHeaders } from 'node:http'
import { aroundReads } from '../ports/around-reads.js'
import type { DocumentStore, ModelView, Snapshot, SnapshotOptions } from '../ports/document-store.js'
import type { BatchMetrics } from './projector-metrics.js'

export type Attributes = Record<string, string | number>

/** Records traces. The default records none; `otel.ts` is loaded only with an endpoint. */
export interface Tracer {
  readonly enabled: boolean
  /** Starts the span of a request, in the caller's trace if it sent one, and runs `then` in it. Call the result at the end. */
  startRequest(
    name: string,
    attributes: Attributes,
    headers: IncomingHttpHeaders,
    then: () => void,
  ): (attributes: Attributes, failed: boolean) => void
  /** A span within the current one. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  /** A finished batch: a span with fold and commit in it. */
  recordBatch(batch: BatchMetrics): void
  stop(): Promise<void>
}

export const NO_TRACER: Tracer = {
  enabled: false,
  startRequest(_name, _attributes, _headers, then) {
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

/** The same store, with a span for every read. Use it only while tracing: it costs time. */
export function tracedStore(store: DocumentStore, tracer: Tracer): DocumentStore {
  const snapshot = async (projections: readonly string[], options?: SnapshotOptions): Promise<Snapshot> => {
    const taken = await tracer.span('store snapshot', { 'vitrine.models': projections.join(',') }, () =>
      store.snapshot(projections, options),
    )
    return { model: (name) => tracedView(taken.model(name), tracer), release: () => taken.release() }
  }
  return { ...store, snapshot }
}

function tracedView(view: ModelView, tracer: Tracer): ModelView {
  const { generation, checkpoint, invalidationLog } = view
  const reads = aroundReads(view, ({ method, collection }, read) => {
    const attributes = { 'vitrine.collection': collection.name, 'vitrine.generation': generation.number }
    return tracer.span(`store ${method.replace('Matching', 'With')}`, attributes, read)
  })
  const others = { removedAmong: view.removedAmong.bind(view), indexFaults: view.indexFaults.bind(view) }
  return { ...reads, ...others, generation, checkpoint, invalidationLog }
}
