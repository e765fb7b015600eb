import type { z } from 'zod'
import type { InputSchema, Operation, ReadContext } from '../../contract/operation.js'
import type { Projection } from '../../engine/definition/projection.js'
import type { OwnEvent } from '../../events/index.js'
import type { Cards } from './cards.js'
import type { Example, ExampleDocuments } from './folded-examples.js'

/** A public read that is not built in. Its name and path are within the namespace of its models. */
export interface Read<I extends InputSchema = InputSchema, O extends z.ZodType = z.ZodType>
  extends Pick<Operation<I, O>, 'summary' | 'input' | 'output' | 'notFound' | 'deprecated'> {
  /** `get_bed` becomes the MCP tool and batch operation `x_gardens_get_bed`. */
  name: string
  /** `/beds/{bedId}` becomes `/public/share/x/gardens/beds/{bedId}`. Every `{parameter}` is a field of the input. */
  path: string
  /** Default: the summary. */
  description?: string
  /** The models it reads, of the same namespace. Default: the one it is declared with. */
  models?: readonly string[]
  /** Published. A function makes it of what the examples of the events leave. */
  example: Example | ((documents: ExampleDocuments) => Example)
  /** What the serving side adds to the answer, or to each of its `items`. */
  cards?: Cards
  /** `model` is the name of the one it is declared with. */
  run(context: ReadContext, input: z.output<I>, model: string): Promise<z.input<O>>
}

export interface OwnModel {
  /** What `declared()` returns. */
  projection: Projection
  reads?: readonly Read[]
}

/** The ids in the demo data. */
export interface DemoCommunity {
  creators: readonly string[]
  creations: readonly string[]
}

/** Custom models: what a package or folder named by `MODELS` exports as its default. */
export interface OwnModels {
  namespace: string
  models: readonly OwnModel[]
  /** Those that the projections name. */
  events: readonly OwnEvent[]
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

type Definition = Pick<OwnModels, 'namespace' | 'models'> & Partial<Pick<OwnModels, 'demo'>>

/** Declares models of your own. */
export const defineModels = ({ namespace, models, demo = () => [] }: Definition): OwnModels => ({
  ...{ namespace, models, demo },
  events: [...new Set(models.flatMap(({ projection }) => projection.ownEvents))],
})

/** Infers the types of input and output. */
export const read = <I extends InputSchema, O extends z.ZodType>(definition: Read<I, O>): Read<I, O> => definition

/** Models that break a rule, in one line. */
export class ModelsError extends Error {
  override name = 'ModelsError'
}

export function firstIssue({ issues: [issue] }: z.ZodError): string {
  return issue === undefined ? 'it is not valid' : `${issue.path.join('.') || '(root)'}: ${issue.message}`
}
