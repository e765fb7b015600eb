import type { Collection, Doc, IndexQuery, Reads } from '../../ports/document-store.js'

const PAGE = 1000

/** Reads all documents of a collection, or all that a query finds, in the order of their ids. */
export async function* scanDocuments<D extends Doc>(
  reads: Pick<Reads, 'range'>,
  collection: Collection<D>,
  query: IndexQuery = { index: '_id', equals: [] },
): AsyncGenerator<D, void, void> {
  for (let after: string | null = null; ; ) {
    const page: D[] = await reads.range(collection, { ...query, limit: PAGE, ...(after === null ? {} : { after: [after] }) })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last._id
  }
}
