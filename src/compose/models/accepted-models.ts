/**
 * Which set of custom models an installation works with. It is stored beside the models: a process with another set would skip events
 * that are known elsewhere, leave words of the erased in the log, and let models go stale.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { z } from 'zod'
import { isOwn } from '../../contract/operation.js'
import { type Coordination, type DocumentStore, type Lease, StoreUnavailableError } from '../../ports/document-store.js'
import { ModelsError } from './define-models.js'
import type { ModelSet } from './model-set.js'

/** One set of custom models as it is stored. */
const StoredSet = z.object({
  fingerprint: z.string(),
  models: z.array(z.string()),
  events: z.array(z.string()),
  /** A digest of each event type and read, by its name; not of a set that an earlier release has stored. */
  parts: z.record(z.string(), z.string()).default({}),
})
export type StoredSet = z.infer<typeof StoredSet>

/** More than one while a change is rolled out. */
const Stored = z.object({ sets: z.array(StoredSet) })

/** The kind of the control record that holds them. */
export const ACCEPTED_MODELS = 'models'
const ID = 'accepted'
const NO_OWN_MODELS: StoredSet = { fingerprint: 'none', models: [], events: [], parts: {} }

/**
 * What custom models have in common wherever they run: event types with their schemas and people, the names of models and the paths of
 * reads. A higher version of a projection is no other set: old and new ones run side by side.
 */
export function describeSet({ own, reads }: ModelSet): StoredSet {
  if (own.length === 0) return NO_OWN_MODELS
  const events = own.flatMap((models) => models.events).sort(byName)
  const models = own.flatMap(({ models }) => models.map(({ projection }) => projection.name)).sort()
  const content = {
    events: events.map(({ name, version, key, people, schema, older }) => ({
      ...{ name, version, key, people },
      schemas: [...Object.values(older).map((each) => each.schema), schema].map(essence),
    })),
    models,
    reads: reads
      .filter(isOwn)
      .sort(byName)
      .map(({ name, path }) => [name, path] as const),
  }
  const named = content.events.map((each) => [`${each.name}.v${each.version}`, digest(each)] as const)
  const parts = Object.fromEntries([...named, ...content.reads.map((each) => [each[0], digest(each)] as const)])
  return { fingerprint: digest(content), models, events: named.map(([name]) => name), parts }
}

const digest = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)

/** In a schema, for people only. */
const WORDS = ['title', 'description', 'examples', 'deprecated', '$comment'] as const

/** What of a schema decides how data are read. */
const essence = (schema: z.ZodType): unknown =>
  inOrder(
    z.toJSONSchema(schema, {
      io: 'input',
      override({ jsonSchema }) {
        for (const word of WORDS) delete jsonSchema[word]
        jsonSchema.required?.sort()
      },
    }),
  )

/** With the keys of all objects in alphabetical order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]))
}

/** The sets that processes may have; null if none was ever stored. */
export const acceptedSets = async (store: Coordination): Promise<readonly StoredSet[] | null> => (await stored(store)).sets

async function stored(store: Coordination): Promise<{ revision: number; sets: readonly StoredSet[] | null }> {
  const [record] = await store.controlRecords(ACCEPTED_MODELS)
  return record === undefined ? { revision: 0, sets: null } : { revision: record.revision, sets: Stored.parse(record.value).sets }
}

const put = async (store: Coordination, revision: number, sets: readonly StoredSet[]): Promise<boolean> =>
  (await store.putControlRecord({ kind: ACCEPTED_MODELS, id: ID, revision, value: { sets } })) !== null

/** Throws a `ModelsError` if the installation works with another set. With `remember`, the first set of all is stored. */
export async function requireAccepted(store: Coordination, set: ModelSet, { remember = false } = {}): Promise<void> {
  const mine = describeSet(set)
  const accepted = await acceptedSets(store)
  if (accepted !== null && !accepted.some(({ fingerprint }) => fingerprint === mine.fingerprint)) throw refusal(mine, accepted)
  if (accepted !== null || !remember || mine === NO_OWN_MODELS) return
  // Another process may have been first, with another set.
  if (!(await put(store, 0, [mine]))) await requireAccepted(store, set)
}

/** The same for a process that starts while the store is away, which goes on without: it has nothing to show yet. */
export async function requireAcceptedIfReachable(store: Coordination, set: ModelSet, logger: Pick<Logger, 'warn'>): Promise<void> {
  try {
    await requireAccepted(store, set, { remember: true })
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    logger.warn('the models were not checked: the store cannot be reached')
  }
}

/**
 * The store for a projector: the set may change while it runs, so it is checked whenever a projection gains the lead, and before a
 * generation is made. Checked under the lease, because it is held, while a model is dropped, until the new set is stored.
 */
export const onlyWhileAccepted = (store: DocumentStore, set: ModelSet): DocumentStore => ({
  ...store,
  async acquireLease(...args) {
    const lease = await store.acquireLease(...args)
    try {
      if (lease !== null) await requireAccepted(store, set, { remember: true })
    } catch (error) {
      if (lease !== null) await store.releaseLease(lease)
      throw error
    }
    return lease
  },
  async createGeneration(...args) {
    await requireAccepted(store, set)
    return store.createGeneration(...args)
  },
})

/** For what must know all events: not while a change is rolled out. */
export async function requireNoRollout(store: Coordination): Promise<void> {
  if (((await acceptedSets(store)) ?? []).length > 1)
    throw new ModelsError('a change of the models is being rolled out: finish it with "vitrine models accept" first')
}

function refusal(mine: StoredSet, accepted: readonly StoredSet[]): ModelsError {
  const other = accepted.at(-1) ?? NO_OWN_MODELS
  const hasParts = Object.keys(other.parts).length > 0
  const namesIn = ({ models, events, parts }: StoredSet) => [...new Set([...models, ...events, ...(hasParts ? Object.keys(parts) : [])])]
  const [here, there] = [namesIn(mine), namesIn(other)]
  const changed = here.filter((name) => other.parts[name] !== undefined && other.parts[name] !== mine.parts[name]).join(', ')
  const missing = there.filter((name) => !here.includes(name)).join(', ')
  const added = here.filter((name) => !there.includes(name)).join(', ')
  const differences = [missing && `missing here: ${missing}`, added && `new: ${added}`, changed && `of another schema or path: ${changed}`]
    .filter(Boolean)
    .join('; ')
  return new ModelsError(
    `this installation works with other models (${differences || 'a schema or a path changed'}). Set MODELS as elsewhere, or accept these with "vitrine models accept": docs/own-models.md`,
  )
}

const LEASE_MS = 60_000

/**
 * Accepts a set: alone, or `beside` those accepted so far, while a change is rolled out. Alone, it drops the generations of models
 * that are no longer there: nothing folds them any more, so nothing would remove the erased from them. Those in the store count, too: a
 * process that was only slow may have made one after its model was dropped.
 */
export async function acceptModels(store: DocumentStore, set: ModelSet, { beside = false } = {}) {
  const mine = describeSet(set)
  const { revision, sets } = await stored(store)
  const before = sets ?? [NO_OWN_MODELS]
  const accepted = beside ? [...before.filter(({ fingerprint }) => fingerprint !== mine.fingerprint), mine] : [mine]
  const former = new Set([...before.flatMap(({ models }) => models), ...(await store.projections())])
  const dropped = beside ? [] : [...former].filter((name) => !set.names.includes(name))
  const leases: Lease[] = []
  try {
    for (const name of dropped) {
      const lease = await store.acquireLease(name, `accept/${randomUUID()}`, LEASE_MS)
      if (lease === null) throw new ModelsError(`a process still folds "${name}": stop those with the old models first`)
      leases.push(lease)
    }
    if (!(await put(store, revision, accepted))) throw new ModelsError('models were accepted elsewhere just now: try again')
    // Afterwards, so that no process with the old models makes another one meanwhile.
    for (const lease of leases) {
      await store.demote(lease.projection, lease)
      for (const generation of await store.generations(lease.projection)) await store.dropGeneration(generation, lease)
    }
  } finally {
    for (const lease of leases) await store.releaseLease(lease)
  }
  return { accepted, dropped }
}
