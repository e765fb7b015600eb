import type { Direction, PlainSchema } from './schema-shape.js'

export function typeChanges(direction: Direction, { types: before }: PlainSchema, { types: after }: PlainSchema, where: string): string[] {
  const [wanted, offered] = direction === 'input' ? [before, after] : [after, before]
  if (offered === undefined) return []
  if (wanted === undefined) return [direction === 'input' ? `${where} now accepts only ${list(offered)}` : `${where} may now be anything`]
  const missing = [...wanted].filter((type) => !(offered.has(type) || (type === 'integer' && offered.has('number'))))
  if (missing.length === 0) return []
  return [direction === 'input' ? `${where} no longer accepts ${list(missing)}` : `${where} may now be ${list(missing)}`]
}

export function valueChanges(direction: Direction, before: PlainSchema, after: PlainSchema, where: string): string[] {
  return direction === 'input' ? acceptedValues(before, after, where) : promisedValues(before, after, where)
}

function acceptedValues(
  { values: before, keywords: old }: PlainSchema,
  { values: after, keywords: now }: PlainSchema,
  where: string,
): string[] {
  const found: string[] = []
  if (after !== undefined && before === undefined) found.push(`${where} now accepts only ${json(after)}`)
  const refused = before?.filter((value) => after !== undefined && !has(after, value)) ?? []
  if (refused.length > 0) found.push(`${where} no longer accepts ${refused.map(json).join(', ')}`)
  // A caller that leaves a parameter out gets the default.
  if (old.default !== undefined && json(old.default) !== json(now.default)) {
    found.push(`${where} has another default (${json(old.default)} → ${json(now.default)})`)
  }
  return found
}

/** New values are fine, clients have to expect them. A constant is a promise, and a renamed value is a lost one. */
function promisedValues(
  { values: before, keywords: old }: PlainSchema,
  { values: after, keywords: now }: PlainSchema,
  where: string,
): string[] {
  if ('const' in old)
    return 'const' in now && json(old.const) === json(now.const) ? [] : [`${where} is no longer always ${json(old.const)}`]
  if (before === undefined || after === undefined) return []
  const lost = before.filter((value) => !has(after, value))
  const added = after.filter((value) => !has(before, value))
  return lost.length > 0 && added.length > 0
    ? [`${where} no longer says ${lost.map(json).join(', ')} but ${added.map(json).join(', ')}`]
    : []
}

const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
/** Rules that are there or not; two different ones cannot be compared, so any difference counts. */
const RULES = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'contentEncoding', 'contentMediaType']
/** Rarely used and hard to compare: any difference counts, in both directions. */
const WHOLE = ['patternProperties', 'prefixItems', 'contains', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas']

export function limitChanges(
  direction: Direction,
  { keywords: before }: PlainSchema,
  { keywords: after }: PlainSchema,
  where: string,
): string[] {
  const [loose, strict] = direction === 'input' ? [before, after] : [after, before]
  const tighter = [
    ...UPPER.filter((keyword) => number(strict[keyword], Infinity) < number(loose[keyword], Infinity)),
    ...LOWER.filter((keyword) => number(strict[keyword], lowest(keyword)) > number(loose[keyword], lowest(keyword))),
    ...RULES.filter((keyword) => Boolean(strict[keyword]) && json(strict[keyword]) !== json(loose[keyword])),
  ]
  const changed = (keyword: string) => `(${json(before[keyword])} → ${json(after[keyword])})`
  return [
    ...tighter.map((keyword) =>
      direction === 'input'
        ? `${where} has a tighter ${keyword} ${changed(keyword)}`
        : `${where} no longer keeps its ${keyword} ${changed(keyword)}`,
    ),
    ...WHOLE.filter((keyword) => json(before[keyword]) !== json(after[keyword])).map((keyword) => `${where} has another ${keyword}`),
  ]
}

const lowest = (keyword: string): number => (keyword.startsWith('min') && keyword !== 'minimum' ? 0 : -Infinity)

const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

const has = (values: unknown[], wanted: unknown): boolean => values.some((value) => json(value) === json(wanted))

const list = (types: Iterable<string>): string => [...types].join(' or ')

const json = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value))
