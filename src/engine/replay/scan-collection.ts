import { type Collection, type Doc, type Reads, UnreadableDocumentError } from '../../ports/document-store.js'

/** What a store keeps under an id. */
export type Kept = { id: string; doc: Doc } | { id: string; unreadable: string }

const PAGE = 1000

/**
 * Everything a collection keeps, in the order of ids. By the ids that the store finds it under: what somebody has changed
 * by hand may say another one of itself, or nothing that can be read.
 */
export async function* keptIn(reads: Pick<Reads, 'ids' | 'get'>, collection: Collection): AsyncGenerator<Kept, void, void> {
  for (let after: string | null = null; ; ) {
    const query = { index: '_id', equals: [], limit: PAGE, ...(after === null ? {} : { after: [after] }) }
    const ids: string[] = await reads.ids(collection, query)
    yield* await keptUnder(reads, collection, ids)
    const last = ids.at(-1)
    if (last === undefined || ids.length < PAGE) return
    after = last
  }
}

/** What there is of these. */
export async function keptUnder(reads: Pick<Reads, 'get'>, collection: Collection, ids: readonly string[]): Promise<Kept[]> {
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
    const each: Kept[] = []
    for (const one of ids) each.push(...(await keptUnder(reads, collection, [one])))
    return each
  }
}
