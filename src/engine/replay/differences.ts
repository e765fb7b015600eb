/** One field that is not the same on both sides; `undefined` where a side does not have it. */
export interface Difference {
  /** `stats.likes`, `tags[2]`; empty for the whole. */
  path: string
  left: unknown
  right: unknown
}

/** Field by field, down to the leaves. Empty when two plain JSON values say the same, in whatever order of keys. */
export function differences(left: unknown, right: unknown, path = ''): Difference[] {
  if (Object.is(left, right)) return []
  if (Array.isArray(left) && Array.isArray(right)) {
    const length = Math.max(left.length, right.length)
    return Array.from({ length }, (_, i) => differences(left[i], right[i], `${path}[${i}]`)).flat()
  }
  if (isRecord(left) && isRecord(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)])
    return [...keys].flatMap((key) => differences(own(left, key), own(right, key), path === '' ? key : `${path}.${key}`))
  }
  return [{ path, left, right }]
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Not what an object inherits: a document may well have a field named `constructor`. */
const own = (record: Record<string, unknown>, key: string): unknown => (Object.hasOwn(record, key) ? record[key] : undefined)
