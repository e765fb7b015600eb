/** An API that only grows: whatever else has changed since the release is named, and a client may have relied on it. */
import { isDeepStrictEqual } from 'node:util'

type Json = Record<string, unknown>

/** For people, so that it may change. */
const WORDS = new Set(['description', 'summary', 'example', 'examples', 'title', 'deprecated'])
/** What has names of ours, to which more may be added. */
const NAMED = new Set(['paths', 'schemas', 'properties', 'responses', 'headers', 'parameters', 'content'])
const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch'])
/** Lists in any order, to which more may be added. */
const OPEN_LISTS = new Set(['tags', 'servers', 'enum', 'parameters', 'required'])

export function otherThanAdditions(released: Json, current: Json): string[] {
  const inputs = schemasOfInputs(released)
  return compare(released, current, [])

  function compare(before: unknown, after: unknown, path: readonly string[]): string[] {
    const [where, key = ''] = [path.join('.'), path.at(-1)]
    if (Array.isArray(before) && Array.isArray(after)) {
      if (!OPEN_LISTS.has(key) || path.at(-2) === 'properties') {
        if (before.length !== after.length) return [`${where} has another length`]
        return before.flatMap((element, i) => compare(element, after[i], [...path, String(i)]))
      }
      const gone = before.flatMap((element) => {
        const partner = after.find((candidate) => identityOf(candidate) === identityOf(element))
        return partner === undefined
          ? [`${where}: ${identityOf(element)} is gone`]
          : compare(element, partner, [...path, identityOf(element)])
      })
      const added = after.filter((element) => !before.some((known) => identityOf(known) === identityOf(element)))
      return [...gone, ...added.filter((element) => isDemand(element, path)).map((element) => `${where}: ${identityOf(element)} is new`)]
    }
    if (!isObject(before) || !isObject(after)) return isDeepStrictEqual(before, after) ? [] : [`${where} was ${JSON.stringify(before)}`]
    const isNamed = NAMED.has(key) && path.at(-2) !== 'properties'
    const gone = Object.entries(before).flatMap(([name, value]) => {
      if (!isNamed && WORDS.has(name)) return []
      return name in after ? compare(value, after[name], [...path, name]) : [`${where}.${name} is gone`]
    })
    const added = isNamed ? [] : Object.keys(after).filter((name) => !(name in before) && !WORDS.has(name) && !/^x-/.test(name))
    return [...gone, ...added.filter((name) => !METHODS.has(name)).map((name) => `${where}.${name} is new`)]
  }

  /** Whether callers have to send it. */
  function isDemand(element: unknown, path: readonly string[]): boolean {
    if (path.at(-1) === 'parameters') return isObject(element) && resolved(element, current).required === true
    return path.at(-1) === 'required' && (inputs.has(path[2] ?? '') || path.includes('requestBody'))
  }
}

/** By what an element of a list is found again. */
function identityOf(element: unknown): string {
  if (!isObject(element)) return JSON.stringify(element)
  return String(element.$ref ?? element.url ?? `${element.in} ${element.name}`)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function resolved(part: Json, document: Json): Json {
  const names = typeof part.$ref === 'string' ? part.$ref.split('/').slice(1) : []
  return names.reduce<Json>((found, name) => (isObject(found[name]) ? found[name] : {}), names.length > 0 ? document : part)
}

/** The names of the schemas that requests are made of. */
function schemasOfInputs(document: Json): Set<string> {
  const found = new Set<string>()
  const follow = (value: unknown, isInput: boolean): void => {
    if (Array.isArray(value)) for (const element of value) follow(element, isInput)
    if (!isObject(value)) return
    for (const [key, part] of Object.entries(value)) follow(part, isInput || key === 'requestBody')
    const name = isInput && typeof value.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined
    if (name === undefined || found.has(name)) return
    found.add(name)
    follow(resolved(value, document), true)
  }
  follow(document.paths, false)
  return found
}
