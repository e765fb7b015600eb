import type { Collection, DocumentStore, Generation, GenerationStore } from '../../ports/document-store.js'
import type { Projection } from '../definition/projection.js'
import { scanDocuments } from '../definition/scan-documents.js'
import { ForeignLogError } from '../fold/log-identity.js'

/** What a removal is about. Aggregates of custom models go with their people. */
const KINDS = ['creator', 'creation'] as const

export interface KnownRemoval {
  aggregate: string
  /** The highest that was seen, also of events that the tombstone ignored. */
  sequence: number
}

/** Everything that a generation, of any version, knows to be removed. */
export async function* tombstonesIn(store: DocumentStore, { state }: Projection, generation: Generation): AsyncGenerator<KnownRemoval> {
  const kept = KINDS.flatMap((kind) => (state[kind] === undefined ? [] : [{ kind, collection: withoutIndexes(state[kind].collection) }]))
  const opened = await store.openGeneration(
    generation,
    kept.map(({ collection }) => collection),
  )
  try {
    for (const { kind, collection } of kept)
      for await (const { _id, seq, removed } of scanDocuments(opened, collection))
        if (removed) yield { aggregate: `${kind}/${_id}`, sequence: seq }
  } finally {
    await opened.close()
  }
}

const withoutIndexes = <C extends Collection>(collection: C): C => ({ ...collection, indexes: [] })

/** They are named, not counted. */
const MAX_NAMED = 3
const PAGE = 500

/** Fails if a generation from another log lacks a tombstone: what was removed would be public again. */
export async function assertTombstonesKept(
  store: DocumentStore,
  projection: Projection,
  live: Generation,
  built: GenerationStore,
): Promise<void> {
  const lost: string[] = []
  let page: string[] = []
  const compare = async () => {
    for (const kind of KINDS) {
      const { collection } = projection.state[kind] ?? {}
      const ids = page.filter((aggregate) => aggregate.startsWith(`${kind}/`)).map((aggregate) => aggregate.slice(kind.length + 1))
      if (collection === undefined || ids.length === 0) continue
      const docs = await built.get(collection, ids)
      lost.push(...ids.filter((_, i) => docs[i]?.removed !== true).map((id) => `${kind}/${id}`))
    }
    page = []
  }
  for await (const { aggregate } of tombstonesIn(store, projection, live)) {
    if (page.push(aggregate) === PAGE) await compare()
    if (lost.length >= MAX_NAMED) break
  }
  await compare()
  if (lost.length === 0) return
  const named = lost.slice(0, MAX_NAMED).join(', ')
  throw new ForeignLogError(
    `This log lacks removals that ${projection.name} knows, such as of ${named}: have them published again, or run "vitrine rebuild all --accept-log --publish-removals".`,
  )
}
