import { isDeepStrictEqual } from 'node:util'
import { type EventTypes, type Position, redacted, START } from '../../events/index.js'
import { parseJson } from '../../lib/parse-json.js'
import type { DocumentStore, Generation } from '../../ports/document-store.js'
import type { EventLog, LogRecord, Replacement } from '../../ports/event-log.js'
import { DEAD_LETTER_COLLECTIONS, loadParked } from '../definition/dead-letter-collections.js'
import type { Projection } from '../definition/projection.js'
import { readRecords } from '../fold/log-page.js'
import { liveGeneration, withGeneration } from '../fold/open-generation.js'
import { RequestStore } from '../requests/request-store.js'

const PAGE = 2500

/** Takes the words out of the chosen events, and says how many had any. Can be repeated, so after a crash it is run again. */
export async function replaceWords(
  log: EventLog,
  store: DocumentStore,
  projections: readonly Projection[],
  types: EventTypes,
  chosen: AsyncIterable<LogRecord>,
): Promise<number> {
  const subjects = new Set<string>()
  let withWords = 0
  let last = START
  async function* replacements(): AsyncGenerator<Replacement, void, void> {
    for await (const record of chosen) {
      const payload = redacted(record, types)
      if (payload !== null && payload !== record.payload) {
        yield { position: record.position, payload }
        // Of an event without words only the envelope changes, such as its source.
        if (!isDeepStrictEqual(dataIn(payload), dataIn(record.payload))) withWords += 1
      }
      subjects.add(record.subject)
      last = record.position
    }
  }
  // Even without replacements: an interrupted run may have left the old bytes in the files.
  await log.redact(replacements())
  await replayParkedSubjects(store, projections, subjects, last)
  return withWords
}

const dataIn = (payload: string): unknown => Object(parseJson(payload)).data

/**
 * Redacted events can be folded, so parked aggregates are released. A projector may have read the old payloads and park
 * them later: a second request replays those once it is past `last`.
 */
async function replayParkedSubjects(
  store: DocumentStore,
  projections: readonly Projection[],
  subjects: ReadonlySet<string>,
  last: Position,
): Promise<void> {
  const requests = new RequestStore(store)
  for (const { name, version } of projections) {
    const live = await liveGeneration(store, name)
    if (live === null) continue
    // The position first, so that nothing is parked unseen between the two reads.
    const { position, parked } = await withGeneration(store, live, DEAD_LETTER_COLLECTIONS, async (opened) => ({
      position: (await opened.checkpoint()).position,
      parked: await loadParked(opened),
    }))
    for (const aggregate of parked.keys())
      if (subjects.has(aggregate)) await requests.submit(name, version, { kind: 'replay', aggregate, limit: null })
    if (position < last) await requests.submit(name, version, { kind: 'replay', aggregate: null, limit: null, from: last })
  }
}

export async function* scanLog(log: EventLog, onProgress: (events: number) => void): AsyncGenerator<LogRecord, void, void> {
  for (let after = START; ; ) {
    const page = await readRecords(log, after, PAGE)
    yield* page
    onProgress(page.length)
    const last = page.at(-1)
    if (last === undefined) return
    after = last.position
  }
}

/** It is too early to redact, or what is to be redacted has not been removed. */
export class RedactionError extends Error {
  override name = 'RedactionError'
}

export interface Erased {
  kind: 'creator' | 'creation'
  id: string
}

export interface Removal extends Erased {
  removedAt: Position
}

export const subjectOf = ({ kind, id }: Erased): string => `${kind}/${id}`

/**
 * Every generation that holds creators (or creations), live or retired, must have the tombstones: without one the person is still
 * there, and a model that has not folded the removal would show the word "redacted" to readers. The creations `unread` must be
 * gone, too: a generation of an earlier release did not know whose they are.
 */
export async function checkErased(
  store: DocumentStore,
  projections: readonly Projection[],
  removals: readonly Removal[],
  unread: readonly string[],
): Promise<void> {
  for (const projection of projections) {
    for (const generation of await store.generations(projection.name)) {
      // One that is loading goes live only after it has come to the removal.
      if (generation.state !== 'loading') await checkGeneration(store, projection, generation, removals, unread)
    }
  }
}

async function checkGeneration(
  store: DocumentStore,
  { name, state, on }: Projection,
  generation: Generation,
  removals: readonly Removal[],
  unread: readonly string[],
): Promise<void> {
  const isLive = generation.state === 'live'
  const where = isLive ? name : `the retired generation ${generation.number} of ${name}`
  const { creation } = state
  // Without indexes: the generation may be of another version, and must not change.
  const collections = [...new Set([state.creator, creation])].flatMap((each) =>
    each === undefined ? [] : [{ ...each.collection, indexes: [] }],
  )
  const anew = isLive ? `"vitrine rebuild ${name}"` : `"vitrine generations ${name} --prune"`
  await withGeneration(store, generation, collections, async (opened) => {
    const { position } = await opened.checkpoint()
    for (const kind of ['creator', 'creation'] as const) {
      const wanted = removals.filter((each) => each.kind === kind)
      // A retired generation is caught up only with removals that it knows.
      if (wanted.length === 0 || (kind === 'creation' && creation === undefined)) continue
      const last = Math.max(...wanted.map(({ removedAt }) => removedAt))
      if (position < last) throw new RedactionError(`${where} has not come to the removal at position ${last} yet: try again later`)
      const followed = state[kind]
      if (followed === undefined) continue
      const found = await opened.get(
        followed.collection,
        wanted.map(({ id }) => id),
      )
      const without = wanted.find((_, i) => found[i]?.removed !== true)
      if (without === undefined) continue
      const remedy = `${isLive ? 'see its dead letters, or ' : ''}run ${anew}`
      throw new RedactionError(`${where} has no tombstone of ${subjectOf(without)}, so the removal was not applied there: ${remedy}`)
    }
    if (creation === undefined || on['creation.removed'] === undefined) return
    const left = (await opened.get(creation.collection, unread)).find((doc) => doc?.removed === false)
    if (left !== undefined) throw new RedactionError(`${where} still holds creation/${left._id} of theirs: try again later, or run ${anew}`)
  })
}
