import type { z } from 'zod'
import type { InputSchema, Operation } from '../../contract/operation.js'
import type { Projection } from '../../engine/definition/projection.js'
import type { OwnEvent } from '../../events/index.js'

/** A public read that is not built in. Its name and path are within the namespace of its models. */
export interface Read<I extends InputSchema = InputSchema, O extends z.ZodType = z.ZodType>
  extends Pick<Operation<I, O>, 'summary' | 'description' | 'input' | 'output' | 'notFound' | 'deprecated' | 'example' | 'run'> {
  /** `get_bed` becomes the MCP tool and batch operation `x_gardens_get_bed`. */
  name: string
  /** `/beds/{bedId}` becomes `/public/share/x/gardens/beds/{bedId}`. Every `{parameter}` is a field of the input. */
  path: string
  /** The models it reads, of the same namespace. Default: the one it is declared with. */
  models?: readonly string[]
}

export interface OwnModel {
  projection: Projection
  reads?: readonly Read[]
}

/** The ids in the demo data. */
export interface DemoCommunity {
  creators: readonly string[]
  creations: readonly string[]
}

/** Own models: what a package or folder named by `MODELS` exports as its default. */
export interface OwnModels {
  namespace: string
  events: readonly OwnEvent[]
  models: readonly OwnModel[]
  /** Events that `seed` adds to the demo data. */
  demo: (community: DemoCommunity) => Iterable<DemoEvent>
}

/** An event of the demo data; its sequence and id follow from the order. */
export interface DemoEvent {
  /** One of the types of these models. */
  name: string
  data: Readonly<Record<string, unknown>>
  /** Milliseconds since 1970. Default: when the demo data end. */
  time?: number
}

type Definition = Pick<OwnModels, 'namespace' | 'models'> & Partial<Pick<OwnModels, 'events' | 'demo'>>

/** Declares models of your own. */
export const defineModels = ({ namespace, models, events = [], demo = () => [] }: Definition): OwnModels => ({
  namespace,
  events,
  models,
  demo,
})

/** Infers the types of input and output. */
export const read = <I extends InputSchema, O extends z.ZodType>(definition: Read<I, O>): Read<I, O> => definition

/** Models that break a rule, in one line. */
export class ModelsError extends Error {
  override name = 'ModelsError'
}
