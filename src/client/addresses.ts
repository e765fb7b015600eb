import type { OperationAddress } from './operation-types.js'

/** Where operations are, by their ids. */
export type Addresses = Readonly<Record<string, OperationAddress>>

export function addressOf(table: Addresses, id: string): OperationAddress {
  const address = Object.hasOwn(table, id) ? table[id] : undefined
  if (address === undefined) throw new TypeError(`there is no operation "${id}"`)
  return address
}

/** A host's address without a slash at its end. Throws if it is none. */
export function hostUrl(name: string, value: string): string {
  const url = parsedUrl(value)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError(`${name} must be an address such as https://example.com, not "${value}"`)
  if (url.username !== '' || url.password !== '') throw new TypeError(`${name} must not hold a user name or a password`)
  if (url.search !== '' || url.hash !== '') throw new TypeError(`${name} must not have a query or a fragment`)
  return url.href.replace(/\/+$/, '')
}

/** `URL.parse` and `URL.canParse` are too new for some browsers. */
function parsedUrl(value: string): URL | null {
  try {
    return new URL(value)
  } catch {
    return null
  }
}

/** The address of a read: some of its arguments belong into the path, the others into the query. */
export function readUrl(host: string, { path }: OperationAddress, args: object): string {
  const inQuery = new Map(Object.entries(args))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = inQuery.get(name)
    inQuery.delete(name)
    return pathSegment(name, value)
  })
  const query = new URLSearchParams()
  for (const [name, value] of inQuery) if (value !== undefined && value !== null) query.append(name, String(value))
  const text = query.toString()
  return text === '' ? host + filled : `${host}${filled}?${text}`
}

export function pathSegment(name: string, value: unknown): string {
  if (value === undefined || value === null) throw new TypeError(`the argument "${name}" is missing`)
  const text = String(value)
  if (!isPathSegment(text)) throw new TypeError(`the argument "${name}" must not be "${text}"`)
  return encodeURIComponent(text.toWellFormed())
}

/** A URL drops the others, encoded or not, and would lead to another operation. */
export const isPathSegment = (text: string): boolean => !['', '.', '..'].includes(text)
