import { readUrl } from './addresses.js'
import { UnexpectedAnswerError } from './errors.js'
import type { OperationAddress, Page } from './operation-types.js'
import type { ReadOptions } from './options.js'
import type { Http } from './transport/http.js'
import { isObject } from './transport/json.js'

/** One public read, out of its envelope. */
export async function read(http: Http, host: string, address: OperationAddress, args: object, options: ReadOptions): Promise<unknown> {
  const { body } = await http.json({ method: 'GET', url: readUrl(host, address, args), headers: positionHeader(options) }, options)
  if (!isObject(body) || body.code !== 0 || !('data' in body))
    throw new UnexpectedAnswerError(`the answer of ${address.name} is not in the success envelope`, 200)
  return body.data
}

/** Page after page. The next one is fetched when the caller gets to it. */
export async function* pages(fetchPage: (cursor?: string) => Promise<unknown>, maxPages: number): AsyncGenerator<Page, void, void> {
  let cursor: string | undefined
  // Brent's algorithm finds every circle with one cursor in memory: that of the page whose number is a power of two.
  let marked: string | undefined
  for (let count = 1; count <= maxPages; count++) {
    const page = await fetchPage(cursor)
    if (!isPage(page)) throw new UnexpectedAnswerError('the answer is not a page: it has no items', 200)
    yield page
    if (page.next_cursor === null) return
    if (page.next_cursor === marked) throw new UnexpectedAnswerError('the pages lead back to an earlier one', 200)
    cursor = page.next_cursor
    if (Number.isInteger(Math.log2(count))) marked = cursor
  }
  throw new UnexpectedAnswerError(`there are more than ${maxPages} pages: raise maxPages if that is right`, 200)
}

const isPage = (value: unknown): value is Page =>
  isObject(value) && Array.isArray(value.items) && (value.next_cursor === null || typeof value.next_cursor === 'string')

export const positionHeader = ({ minPosition }: ReadOptions): Record<string, string> =>
  minPosition === undefined ? {} : { 'service-min-position': String(minPosition) }
