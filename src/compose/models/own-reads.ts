import type { z } from 'zod'
import { ServiceError } from '../../contract/errors.js'
import type { Operation } from '../../contract/operation.js'
import { withTimeout } from '../../lib/backoff-and-timeout.js'
import type { Collection, ModelView } from '../../ports/document-store.js'
import { firstIssue } from './check-own-events.js'
import type { OwnModels, Read } from './define-models.js'

/** Well below the time after which a connection is cut: a read that never ends must not hold its place for that long. */
const DEADLINE_MS = 5000

/** Where own public reads lie. All of it counts against the limit of public reads. */
export const ownPath = (namespace: string): string => `/public/share/x/${namespace}`

/** What the names of their schemas begin with. */
export const schemaPrefix = (namespace: string): string => `X${upperFirst(namespace)}`

/** An own read within its namespace, as every surface serves it. */
export function publicRead({ namespace, models: own }: OwnModels, model: string, declared: Read): Operation {
  const { name: ownName, path, models = [model], ...read } = declared
  const name = publicName(namespace, ownName)
  const collectionsOf = (each: string) => own.find(({ projection }) => projection.name === each)?.projection.collections ?? []
  return {
    ...read,
    name,
    operationId: camelCase(name),
    path: `${ownPath(namespace)}${path}`,
    tag: `x-${namespace}`,
    models,
    async run(context, input) {
      const declaredOnly = { ...context, model: (each: string) => onlyDeclared(context.model(each), each, collectionsOf(each)) }
      return checked(name, read.output, await withTimeout(DEADLINE_MS, declared.run(declaredOnly, input), timeout(name)))
    },
  }
}

/** The same model. A collection that it does not declare is refused: what that one says of whose words it shows was never checked. */
function onlyDeclared(view: ModelView, model: string, collections: readonly Collection[]): ModelView {
  const known = <C extends Collection>(collection: C): C => {
    if (collections.includes(collection)) return collection
    throw new Error(`the model "${model}" does not declare this collection "${collection.name}": read with the one in its projection`)
  }
  return {
    generation: view.generation,
    checkpoint: view.checkpoint,
    invalidationLog: view.invalidationLog,
    get: (collection, ids) => view.get(known(collection), ids),
    range: (collection, query) => view.range(known(collection), query),
    ids: (collection, query) => view.ids(known(collection), query),
    count: (collection, ...query) => view.count(known(collection), ...query),
    countMatching: (collection, query) => view.countMatching(known(collection), query),
    idsMatching: (collection, ...query) => view.idsMatching(known(collection), ...query),
    getMatching: (collection, filter) => view.getMatching(known(collection), filter),
    rangeMatching: (collection, ...query) => view.rangeMatching(known(collection), ...query),
    indexFaults: (collection) => view.indexFaults(known(collection)),
  }
}

/** The name of its tool and batch operation. */
export const publicName = (namespace: string, name: string): string => `x_${namespace}_${name}`

const timeout = (name: string) => (): ServiceError =>
  new ServiceError('timeout', `${name} took longer than ${DEADLINE_MS / 1000} seconds.`, { retryAfterS: 1 })

/** Only what the published schema shows: a read may return a whole document. */
function checked(name: string, output: z.ZodType, data: unknown): unknown {
  const parsed = output.safeParse(data)
  if (parsed.success) return parsed.data
  throw new Error(`the answer of ${name} does not match its output: ${firstIssue(parsed.error)}`)
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const camelCase = (name: string): string =>
  name
    .split('_')
    .map((word, i) => (i === 0 ? word : upperFirst(word)))
    .join('')
