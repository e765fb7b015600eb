import { type Collection, type Doc, type IndexQuery, type Reads, UnreadableDocumentError } from '../../ports/document-store.js'

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

/** What a store has under an id. */
export type StoredDocument = { id: string; doc: Doc } | { id: string; unreadable: string }

/** Everything in a collection, in the order of the store's ids: a damaged document may hold another id, or be unreadable. */
export async function* scanStored(reads: Pick<Reads, 'ids' | 'get'>, collection: Collection): AsyncGenerator<StoredDocument, void, void> {
  for (let after: string | null = null; ; ) {
    const query = { index: '_id', equals: [], limit: PAGE, ...(after === null ? {} : { after: [after] }) }
    const ids: string[] = await reads.ids(collection, query)
    yield* await readStored(reads, collection, ids)
    const last = ids.at(-1)
    if (last === undefined || ids.length < PAGE) return
    after = last
  }
}

export async function readStored(reads: Pick<Reads, 'get'>, collection: Collection, ids: readonly string[]): Promise<StoredDocument[]> {
  try {
    const docs = await reads.get(collection, ids)
    return ids.flatMap((id, i) => {
      const doc = docs[i]
      return doc === undefined ? [] : [{ id, doc }]
    })
  } catch (error) {
    if (!(error instanceof UnreadableDocumentError)) throw error
    const [id, another] = ids
    if (id !== undefined && another === undefined) return [{ id, unreadable: error.reason }]
    const each: StoredDocument[] = []
    for (const one of ids) each.push(...(await readStored(reads, collection, [one])))
    return each
  }
}
