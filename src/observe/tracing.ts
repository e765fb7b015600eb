import type { IncomingHttpHeaders } from 'node:http'
import type { BatchMetrics } from './projector-metrics.js'

export type Attributes = Record<string, string | number>

/** Where traces go. The default goes nowhere; `otel.ts` is loaded only when there is somewhere to go to. */
export interface Tracer {
  readonly enabled: boolean
  /** Begins the trace of a request, or goes on with that of its caller, and calls `then` inside. Call what it returns at the end. */
  startRequest(name: string, headers: IncomingHttpHeaders, then: () => void): (attributes: Attributes, failed: boolean) => void
  /** A step of whatever is under way. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  /** A batch that is over: event batch, and in it fold and commit. */
  recordBatch(figures: BatchMetrics): void
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

/** Nothing of OpenTelemetry is loaded without an endpoint. */
export async function createTracer(endpoint: string | undefined): Promise<Tracer> {
  if (endpoint === undefined) return NO_TRACER
  const { OtelTracer } = await import('./otel.js')
  return new OtelTracer(endpoint)
}
