import { type Collection, type Doc, type Reads, UnreadableDocumentError } from '../../ports/document-store.js'

/** What a store has under an id. */
export type StoredDocument = { id: string; doc: Doc } | { id: string; unreadable: string }

const PAGE = 1000

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
