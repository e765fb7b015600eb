import type { Collection, Doc, Reads } from '../../ports/document-store.js'

const PAGE = 1000

/** Every document of a collection in the order of ids, a page at a time. */
export async function* scanDocuments<D extends Doc>(reads: Pick<Reads, 'range'>, collection: Collection<D>): AsyncGenerator<D, void, void> {
  for (let after: string | null = null; ; ) {
    const query = { index: '_id', equals: [], limit: PAGE, ...(after === null ? {} : { after: [after] }) }
    const page: D[] = await reads.range(collection, query)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last._id
  }
}
