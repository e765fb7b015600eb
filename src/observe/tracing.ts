import type { IncomingHttpHeaders } from 'node:http'
import type { DocumentStore, ModelView, Reads, SearchReads, Snapshot, SnapshotOptions } from '../ports/document-store.js'
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
  return overlay(store, { snapshot })
}

function tracedView(view: ModelView, tracer: Tracer): ModelView {
  const traced = <T>(kind: string, collection: { name: string }, work: () => Promise<T>): Promise<T> =>
    tracer.span(`store ${kind}`, { 'vitrine.collection': collection.name, 'vitrine.generation': view.generation.number }, work)
  const reads: Reads & SearchReads = {
    get: (collection, ids) => traced('get', collection, () => view.get(collection, ids)),
    range: (collection, query) => traced('range', collection, () => view.range(collection, query)),
    ids: (collection, query) => traced('ids', collection, () => view.ids(collection, query)),
    count: (collection, query, atMost) => traced('count', collection, () => view.count(collection, query, atMost)),
    countMatching: (collection, query) => traced('countWith', collection, () => view.countMatching(collection, query)),
    idsMatching: (collection, query, among) => traced('idsWith', collection, () => view.idsMatching(collection, query, among)),
    getMatching: (collection, filter) => traced('getWith', collection, () => view.getMatching(collection, filter)),
    rangeMatching: (collection, query, filter, selectivity) =>
      traced('rangeWith', collection, () => view.rangeMatching(collection, query, filter, selectivity)),
  }
  return overlay(view, reads)
}

/** `base`, with the members of `over` instead of its own. Methods stay bound to `base`: adapters use private fields. */
function overlay<T extends object>(base: T, over: Partial<T>): T {
  return new Proxy(base, {
    get(target, key) {
      if (Object.hasOwn(over, key)) return Reflect.get(over, key)
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
