import type { Operation } from '../../contract/operation.js'
import { asOurCode, asOwnCode } from '../../operations/own-code.js'
import { CARD_MODEL, withCards } from './cards.js'
import type { OwnModels, Read } from './define-models.js'
import type { Example, ExampleDocuments } from './example-documents.js'
import { checkedAnswer } from './own-answers.js'
import { ownView } from './own-view.js'
import { beforeDeadline } from './read-deadline.js'

/** Where own public reads lie. All of it counts against the limit of public reads. */
export const ownPath = (namespace: string): string => `/public/share/x/${namespace}`

/** What the names of their schemas begin with. */
export const schemaPrefix = (namespace: string): string => `X${upperFirst(namespace)}`

/** A custom read within its namespace, as every surface serves it. */
export function publicRead({ namespace, models: own }: OwnModels, model: string, declared: Read, examples: ExampleDocuments): Operation {
  const { name: ownName, path, models = [model], cards = {}, ...read } = declared
  const name = publicName(namespace, ownName)
  const collectionsOf = (each: string) => own.find(({ projection }) => projection.name === each)?.projection.collections ?? []
  return {
    ...read,
    description: read.description ?? `${read.summary}.`,
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
      const answer = () => beforeDeadline(name, declared.run({ ...context, model: view }, input, model))
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

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const camelCase = (name: string): string =>
  name
    .split('_')
    .map((word, i) => (i === 0 ? word : upperFirst(word)))
    .join('')
