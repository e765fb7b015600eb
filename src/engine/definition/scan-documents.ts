import {
  type Collection,
  type Doc,
  type IndexQuery,
  type RangeQuery,
  type Reads,
  UnreadableDocumentError,
} from '../../ports/document-store.js'

const PAGE = 1000

/** Reads all documents of a collection, or all that a query finds, in the order of their ids. */
export async function* scanDocuments<D extends Doc>(
  reads: Pick<Reads, 'range'>,
  collection: Collection<D>,
  query: IndexQuery = { index: '_id', equals: [] },
): AsyncGenerator<D, void, void> {
  for await (const page of pagesOf(query, (range) => reads.range(collection, range), idOf)) yield* page
}

/** What a store has under an id. */
export type StoredDocument = { id: string; doc: Doc } | { id: string; unreadable: string }

/** Everything in a collection, in the order of the store's ids: a damaged document may hold another id, or be unreadable. */
export async function* scanStored(reads: Pick<Reads, 'ids' | 'get'>, collection: Collection): AsyncGenerator<StoredDocument, void, void> {
  const ids = pagesOf(
    { index: '_id', equals: [] },
    (range) => reads.ids(collection, range),
    (id) => id,
  )
  for await (const page of ids) yield* await readStored(reads, collection, page)
}

const idOf = ({ _id }: Doc): string => _id

async function* pagesOf<T>(
  query: IndexQuery,
  read: (range: RangeQuery) => Promise<T[]>,
  idOf: (found: T) => string,
): AsyncGenerator<T[], void, void> {
  for (let after: string | null = null; ; ) {
    const page: T[] = await read({ ...query, limit: PAGE, ...(after === null ? {} : { after: [after] }) })
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = idOf(last)
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
