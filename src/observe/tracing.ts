import type { IncomingHttpHeaders } from 'node:http'
import type { BatchFigures } from './projector-metrics.js'

export type Attributes = Record<string, string | number>

/** Where traces go. The default goes nowhere; `otel.ts` is loaded only when there is somewhere to go to. */
export interface Tracer {
  readonly isOn: boolean
  /** Begins the trace of a request, or goes on with that of its caller, and calls `then` inside. Call what it returns at the end. */
  request(name: string, headers: IncomingHttpHeaders, then: () => void): (attributes: Attributes, failed: boolean) => void
  /** A step of whatever is under way. */
  step<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  /** A batch that is over: event batch, and in it fold and commit. */
  batch(figures: BatchFigures): void
  stop(): Promise<void>
}

export const NO_TRACER: Tracer = {
  isOn: false,
  request(_name, _headers, then) {
    then()
    return () => {}
  },
  step: (_name, _attributes, work) => work(),
  batch() {},
  async stop() {},
}

/** Nothing of OpenTelemetry is loaded without an endpoint. */
export async function createTracer(endpoint: string | undefined): Promise<Tracer> {
  if (endpoint === undefined) return NO_TRACER
  const { OtelTracer } = await import('./otel.js')
  return new OtelTracer(endpoint)
}
