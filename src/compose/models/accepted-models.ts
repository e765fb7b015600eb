/**
 * Which set of own models an installation works with. It is stored beside the models: a process with another set would skip events
 * that are known elsewhere, leave words of the erased in the log, and let models go stale.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { z } from 'zod'
import { isOwn } from '../../contract/operation.js'
import {
  type ControlRecord,
  type Coordination,
  type DocumentStore,
  type Generations,
  type Lease,
  StoreUnavailableError,
} from '../../ports/document-store.js'
import { ModelsError } from './define-models.js'
import type { ModelSet } from './model-set.js'

/** One set of own models as it is stored. */
const StoredSet = z.object({ fingerprint: z.string(), models: z.array(z.string()), events: z.array(z.string()) })
export type StoredSet = z.infer<typeof StoredSet>

/** More than one while a change is rolled out. */
const Stored = z.object({ sets: z.array(StoredSet) })

const KIND = 'models'
const ID = 'accepted'
const NO_OWN_MODELS: StoredSet = { fingerprint: 'none', models: [], events: [] }

/**
 * What own models have in common wherever they run: event types with their schemas and people, the names of models and the paths of
 * reads. A higher version of a projection is no other set: old and new ones run side by side.
 */
export function describeSet({ own, reads }: ModelSet): StoredSet {
  if (own.length === 0) return NO_OWN_MODELS
  const events = own.flatMap((models) => models.events).sort(byName)
  const models = own.flatMap(({ models }) => models.map(({ projection }) => projection.name)).sort()
  const content = {
    events: events.map(({ name, version, key, people, schema, older }) => ({
      ...{ name, version, key, people },
      schemas: [...Object.values(older).map((each) => each.schema), schema].map((each) => essence(z.toJSONSchema(each, { io: 'input' }))),
    })),
    models,
    reads: reads
      .filter(isOwn)
      .sort(byName)
      .map(({ name, path }) => [name, path]),
  }
  const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16)
  return { fingerprint, models, events: events.map(({ name, version }) => `${name}.v${version}`) }
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)

/** In a schema, for people only. */
const WORDS: readonly string[] = ['title', 'description', 'examples', 'deprecated', '$comment']
/** In a schema, what holds values or names, not schemas. */
const VALUES: readonly string[] = ['default', 'const', 'enum']
const NAMED: readonly string[] = ['properties', 'patternProperties', '$defs', 'definitions']

/** What of a JSON Schema decides how data are read, in one order. */
function essence(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(essence)
  return mapFields(schema, (key, value) => {
    if (WORDS.includes(key)) return undefined
    if (VALUES.includes(key)) return value
    if (key === 'required' && Array.isArray(value)) return value.toSorted()
    // A field may be called "title".
    return NAMED.includes(key) ? mapFields(value, (_name, each) => essence(each)) : essence(value)
  })
}

/** By key in alphabetical order. What becomes undefined is left out of JSON. */
function mapFields(value: unknown, map: (key: string, value: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, map(key, each)]))
}

type Store = Coordination & Generations

/** The sets that processes may have; null if none was ever stored. */
export async function acceptedSets(store: Coordination): Promise<readonly StoredSet[] | null> {
  const record = await storedRecord(store)
  return record === null ? null : Stored.parse(record.value).sets
}

const storedRecord = async (store: Coordination): Promise<ControlRecord | null> =>
  (await store.controlRecords(KIND)).find(({ id }) => id === ID) ?? null

/** For a copy of a store: a command without models would be welcome there. */
export async function copyAccepted(from: Coordination, to: Coordination): Promise<void> {
  const accepted = await acceptedSets(from)
  if (accepted !== null) await put(to, 0, accepted)
}

/** Throws a `ModelsError` if the installation works with another set. With `remember`, the first set of all is stored. */
export async function requireAccepted(store: Coordination, set: ModelSet, { remember = false } = {}): Promise<void> {
  const mine = describeSet(set)
  const accepted = await acceptedSets(store)
  if (accepted !== null && !accepted.some(({ fingerprint }) => fingerprint === mine.fingerprint)) throw refusal(mine, accepted)
  if (accepted !== null || !remember || mine.fingerprint === NO_OWN_MODELS.fingerprint) return
  // Another process may have been first, with another set.
  if ((await put(store, 0, [mine])) === null) await requireAccepted(store, set, { remember })
}

/** The same for the part that writes: it waits for the store. */
export async function requireAcceptedOnceReachable(store: Coordination, set: ModelSet, pause: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await requireAccepted(store, set, { remember: true })
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error
      await pause()
    }
  }
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
      if (lease !== null) await requireAccepted(store, set)
    } catch (error) {
      if (lease !== null) await store.releaseLease(lease)
      throw error
    }
    return lease
  },
  async createGeneration(projection, version, collections) {
    await requireAccepted(store, set)
    return store.createGeneration(projection, version, collections)
  },
})

/** For what must know all events: not while a change is rolled out. */
export async function requireNoRollout(store: Coordination): Promise<void> {
  if (((await acceptedSets(store)) ?? []).length > 1)
    throw new ModelsError('a change of the models is being rolled out: finish it with "vitrine models accept" first')
}

function refusal({ models, events }: StoredSet, accepted: readonly StoredSet[]): ModelsError {
  const before = accepted.at(-1) ?? NO_OWN_MODELS
  const differences = [
    ...lists('missing here', minus([...before.models, ...before.events], [...models, ...events])),
    ...lists('new', minus([...models, ...events], [...before.models, ...before.events])),
  ]
  const what = differences.length === 0 ? 'a schema or a path changed' : differences.join('; ')
  return new ModelsError(
    `this installation works with other models (${what}). Set MODELS as elsewhere, or accept these with "vitrine models accept": docs/own-models.md`,
  )
}

const minus = (all: readonly string[], others: readonly string[]): string[] => all.filter((each) => !others.includes(each))
const lists = (head: string, names: readonly string[]): string[] => (names.length === 0 ? [] : [`${head}: ${names.join(', ')}`])

export interface Acceptance {
  sets: readonly StoredSet[]
  /** Models that are no longer there; their generations were dropped. */
  dropped: readonly string[]
}

/**
 * Accepts a set: alone, or `beside` those accepted so far, while a change is rolled out. Alone, it drops the generations of models
 * that are no longer there: nothing folds them any more, so nothing would remove the erased from them. Those in the store count, too: a
 * process that was only slow may have made one after its model was dropped.
 */
export async function acceptModels(store: Store, set: ModelSet, { beside = false } = {}): Promise<Acceptance> {
  const mine = describeSet(set)
  const record = await storedRecord(store)
  const before = record === null ? [NO_OWN_MODELS] : Stored.parse(record.value).sets
  const sets = beside ? [...before.filter(({ fingerprint }) => fingerprint !== mine.fingerprint), mine] : [mine]
  const former = new Set([...before.flatMap(({ models }) => models), ...(await store.projections())])
  const gone = beside ? [] : minus([...former], set.names)
  const leases: Lease[] = []
  try {
    for (const name of gone) leases.push(await leadToDrop(store, name))
    if ((await put(store, record?.revision ?? 0, sets)) === null)
      throw new ModelsError('models were accepted elsewhere just now: try again')
    // Afterwards, so that no process with the old models makes another one meanwhile.
    for (const lease of leases) await dropModel(store, lease)
  } finally {
    for (const lease of leases) await store.releaseLease(lease)
  }
  return { sets, dropped: gone }
}

const put = (store: Coordination, revision: number, sets: readonly StoredSet[]): Promise<ControlRecord | null> =>
  store.putControlRecord({ kind: KIND, id: ID, revision, value: { sets } })

const LEASE_MS = 60_000

async function leadToDrop(store: Store, name: string): Promise<Lease> {
  const lease = await store.acquireLease(name, `accept/${randomUUID()}`, LEASE_MS)
  if (lease === null) throw new ModelsError(`a process still folds "${name}": stop those with the old models first`)
  return lease
}

async function dropModel(store: Store, lease: Lease): Promise<void> {
  const { projection } = lease
  await store.demote(projection, lease)
  for (const generation of await store.generations(projection)) await store.dropGeneration(generation, lease)
}
