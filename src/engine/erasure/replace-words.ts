import { isDeepStrictEqual } from 'node:util'
import { type EventTypes, type Position, redacted, START } from '../../events/index.js'
import { parseJson } from '../../lib/parse-json.js'
import type { DocumentStore } from '../../ports/document-store.js'
import type { EventLog, LogRecord, Replacement } from '../../ports/event-log.js'
import { DEAD_LETTER_COLLECTIONS, listParkedAggregates } from '../definition/dead-letter-collections.js'
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
      parked: await listParkedAggregates(opened),
    }))
    for (const aggregate of parked)
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
