import type { Operation } from '../../contract/operation.js'
import type { Read } from './define-models.js'

/** Where own public reads lie. All of it counts against the limit of public reads. */
export const ownPath = (namespace: string): string => `/public/share/x/${namespace}`

/** What the names of their schemas begin with. */
export const schemaPrefix = (namespace: string): string => `X${upperFirst(namespace)}`

/** An own read within its namespace, as every surface serves it. */
export const publicRead = (namespace: string, model: string, { name, path, models = [model], ...read }: Read): Operation => ({
  ...read,
  name: `x_${namespace}_${name}`,
  operationId: camelCase(`x_${namespace}_${name}`),
  path: `${ownPath(namespace)}${path}`,
  tag: `x-${namespace}`,
  models,
})

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const camelCase = (name: string): string =>
  name
    .split('_')
    .map((word, i) => (i === 0 ? word : upperFirst(word)))
    .join('')
