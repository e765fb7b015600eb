import { ServiceError } from '../../contract/errors.js'
import type { Operation } from '../../contract/operation.js'
import { withTimeout } from '../../lib/backoff-and-timeout.js'
import { asOurCode, asOwnCode } from '../../operations/own-code.js'
import { CARD_MODEL, withCards } from './cards.js'
import type { OwnModels, Read } from './define-models.js'
import type { Example, ExampleDocuments } from './example-documents.js'
import { checkedAnswer } from './own-answers.js'
import { ownView } from './own-view.js'

/** Well below the time after which a connection is cut: a read that never ends must not hold its place for that long. */
const DEADLINE_MS = 5000

/** Where own public reads lie. All of it counts against the limit of public reads. */
export const ownPath = (namespace: string): string => `/public/share/x/${namespace}`

/** What the names of their schemas begin with. */
export const schemaPrefix = (namespace: string): string => `X${upperFirst(namespace)}`

/** An own read within its namespace, as every surface serves it. */
export function publicRead({ namespace, models: own }: OwnModels, model: string, declared: Read, examples: ExampleDocuments): Operation {
  const { name: ownName, path, models = [model], cards = {}, ...read } = declared
  const name = publicName(namespace, ownName)
  const collectionsOf = (each: string) => own.find(({ projection }) => projection.name === each)?.projection.collections ?? []
  return {
    ...read,
    example: exampleOf(declared, examples),
    name,
    operationId: camelCase(name),
    path: `${ownPath(namespace)}${path}`,
    tag: `x-${namespace}`,
    models: Object.keys(cards).length === 0 ? models : [...models, CARD_MODEL],
    versions: new Map(own.map(({ projection }) => [projection.name, projection.version])),
    async run(context, input) {
      let isOver = false
      const view = (each: string) => ownView(context.model(each), { model: each, collections: collectionsOf(each), isOver: () => isOver })
      const answer = () => withTimeout(DEADLINE_MS, declared.run({ ...context, model: view }, input, model), timeout(name))
      const withOurs = async () => {
        const own = await answer()
        return asOurCode(() => withCards(context, cards, own))
      }
      try {
        return await asOwnCode({ name, models }, async () => checkedAnswer(name, read.output, await withOurs()))
      } finally {
        isOver = true
      }
    },
  }
}

export const exampleOf = ({ example }: Read, examples: ExampleDocuments): Example =>
  typeof example === 'function' ? example(examples) : example

/** The name of its tool and batch operation. */
export const publicName = (namespace: string, name: string): string => `x_${namespace}_${name}`

const timeout = (name: string) => (): ServiceError =>
  new ServiceError('timeout', `${name} took longer than ${DEADLINE_MS / 1000} seconds.`, { retryAfterS: 1 })

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const camelCase = (name: string): string =>
  name
    .split('_')
    .map((word, i) => (i === 0 ? word : upperFirst(word)))
    .join('')
