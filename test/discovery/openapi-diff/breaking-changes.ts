import {
  type Content,
  type Headers,
  METHODS,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type PathItem,
  type Reference,
  type Server,
} from '../../../src/discovery/openapi/types.js'
import { SchemaComparison } from './schema-changes.js'
import type { Direction } from './schema-shape.js'

/** Everything in the current document that could break a client written against the released one, in plain words. */
export function breakingChanges(released: OpenApiDocument, current: OpenApiDocument): string[] {
  return new Comparison(released, current).changes()
}

class Comparison {
  readonly #released: OpenApiDocument
  readonly #current: OpenApiDocument
  readonly #schemas: SchemaComparison

  constructor(released: OpenApiDocument, current: OpenApiDocument) {
    this.#released = released
    this.#current = current
    this.#schemas = new SchemaComparison(released.components.schemas, current.components.schemas)
  }

  changes(): string[] {
    const found = serverChanges(this.#released.servers, this.#current.servers, 'the document')
    for (const [path, before] of Object.entries(this.#released.paths)) {
      const after = this.#current.paths[path]
      if (after === undefined) found.push(`${path} is gone`)
      else found.push(...this.#pathItem(before, after, path))
    }
    for (const name of Object.keys(this.#released.components.schemas)) {
      if (this.#current.components.schemas[name] === undefined) found.push(`schema ${name} is gone`)
    }
    return found
  }

  #pathItem(before: PathItem, after: PathItem, path: string): string[] {
    return METHODS.flatMap((method) => {
      const where = `${method.toUpperCase()} ${path}`
      const [released, current] = [before[method], after[method]]
      if (released === undefined) return []
      if (current === undefined) return [`${where} is gone`]
      return [
        ...this.#identity(released, current, where),
        ...this.#parameters(this.#parametersOf(this.#released, before, released), this.#parametersOf(this.#current, after, current), where),
        ...this.#requestBody(released, current, where),
        ...this.#responses(released, current, where),
      ]
    })
  }

  /** What generated clients, tools and documentation know an operation by, and where and by whom it can be called. */
  #identity(before: OperationObject, after: OperationObject, where: string): string[] {
    const found: string[] = []
    if (before.operationId !== after.operationId)
      found.push(`${where} has another operationId (${before.operationId} → ${after.operationId})`)
    for (const tag of before.tags) if (!after.tags.includes(tag)) found.push(`${where} has lost the tag ${tag}`)
    if (isOpen(before, this.#released) && !isOpen(after, this.#current)) found.push(`${where} now needs credentials`)
    found.push(...serverChanges(before.servers ?? [], after.servers ?? this.#current.servers, where))
    return found
  }

  #parametersOf(document: OpenApiDocument, item: PathItem, operation: OperationObject): Map<string, Parameter> {
    const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) => resolved(parameter, document))
    return new Map(all.map((parameter) => [keyOf(parameter), parameter]))
  }

  #parameters(before: Map<string, Parameter>, after: Map<string, Parameter>, operation: string): string[] {
    const found: string[] = []
    for (const [key, released] of before) {
      const where = `${operation}: ${key}`
      const current = after.get(key)
      if (current === undefined) {
        found.push(`${where} is gone`)
        continue
      }
      if (current.required && !released.required) found.push(`${where} is now required`)
      found.push(...this.#schemas.changes('input', released.schema, current.schema, where))
    }
    for (const [key, current] of after) if (!before.has(key) && current.required) found.push(`${operation}: ${key} is new and required`)
    return found
  }

  #requestBody(before: OperationObject, after: OperationObject, operation: string): string[] {
    const where = `${operation}: request`
    const released = before.requestBody && resolved(before.requestBody, this.#released)
    const current = after.requestBody && resolved(after.requestBody, this.#current)
    if (released === undefined) return current?.required ? [`${where} is new and required`] : []
    if (current === undefined) return [`${where} is no longer accepted`]
    const nowRequired = current.required && !released.required ? [`${where} is now required`] : []
    return [...nowRequired, ...this.#content('input', released.content, current.content, where)]
  }

  #responses(before: OperationObject, after: OperationObject, operation: string): string[] {
    return Object.entries(before.responses).flatMap(([status, response]) => {
      const where = `${operation}: ${status}`
      const found = after.responses[status]
      if (found === undefined) return [`${where} is gone`]
      const released = resolved(response, this.#released)
      const current = resolved(found, this.#current)
      return [
        ...this.#headers(released.headers ?? {}, current.headers ?? {}, where),
        ...this.#content('output', released.content ?? {}, current.content ?? {}, where),
      ]
    })
  }

  #headers(before: Headers, after: Headers, response: string): string[] {
    return Object.entries(before).flatMap(([name, header]) => {
      const where = `${response}: header ${name}`
      const [, found] = Object.entries(after).find(([other]) => other.toLowerCase() === name.toLowerCase()) ?? []
      if (found === undefined) return [`${where} is gone`]
      const released = resolved(header, this.#released)
      const current = resolved(found, this.#current)
      const nowOptional = released.required && !current.required ? [`${where} may now be missing`] : []
      return [...nowOptional, ...this.#schemas.changes('output', released.schema, current.schema, where)]
    })
  }

  #content(direction: Direction, before: Content, after: Content, where: string): string[] {
    return Object.entries(before).flatMap(([type, released]) => {
      const current = after[type]
      if (current === undefined) return [`${where} has no ${type} any more`]
      return this.#schemas.changes(direction, released.schema, current.schema, where)
    })
  }
}

/** Header names are compared without case, all other names with it. */
const keyOf = ({ in: place, name }: Parameter): string => `${place} parameter ${place === 'header' ? name.toLowerCase() : name}`

const isOpen = ({ security }: OperationObject, document: OpenApiDocument): boolean => {
  const ways = security ?? document.security
  return ways.length === 0 || ways.some((way) => Object.keys(way).length === 0)
}

function serverChanges(before: readonly Server[], after: readonly Server[], where: string): string[] {
  const urls = after.map(({ url }) => url)
  return before.filter(({ url }) => !urls.includes(url)).map(({ url }) => `${where} is no longer at ${url}`)
}

/** What a reference to a shared component stands for. */
function resolved<T extends object>(part: T | Reference, { components }: OpenApiDocument): T {
  if (!('$ref' in part)) return part
  const [, , kind = '', name = ''] = part.$ref.split('/')
  const found = (components as unknown as Record<string, Record<string, T> | undefined>)[kind]?.[name]
  if (found === undefined) throw new Error(`${part.$ref} leads nowhere`)
  return found
}
