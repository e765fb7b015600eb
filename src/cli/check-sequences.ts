import type { Config } from '../compose/config.js'
import { discardedPositions } from '../compose/live-models.js'
import { withDocuments, withLog } from '../compose/stores.js'
import { type Arrival, decode, type EventTypes, REMOVAL_EVENTS } from '../events/index.js'
import { gapsText, type SequenceGaps } from '../lib/sequence-gaps.js'
import type { EventLog } from '../ports/event-log.js'
import { hasEmbeddedFile, hasModels } from './require-data.js'

/** What an event to be published says of itself. */
export type Candidate = Pick<Arrival, 'id' | 'aggregate' | 'sequence' | 'name'> & { line: number }

export interface SequenceReport {
  /** Events that the log would leave out, or that would conflict with another. */
  complaints: { line: number; reason: string }[]
  /** Aggregates of which something would be missing. No fault: it may come later. */
  gaps: { aggregate: string; missing: string }[]
  /** How many events the log has already. */
  known: number
}

/** Compares ids and sequences with each other and with those of the same aggregates in the log. Creates and writes nothing. */
export async function checkSequences(config: Config, types: EventTypes, candidates: readonly Candidate[]): Promise<SequenceReport> {
  const book = new SequenceBook(candidates)
  if (config.NATS_URL !== undefined || hasEmbeddedFile(config, 'log')) {
    const discarded = hasModels(config) ? await withDocuments(config, discardedPositions) : new Set<number>()
    await withLog({ ...config, NATS_CREATE: false }, (log) => readInto(book, log, types, discarded))
  }
  return book.report(candidates)
}

async function readInto(book: SequenceBook, log: EventLog, types: EventTypes, discarded: ReadonlySet<number>): Promise<void> {
  const { first } = await log.bounds()
  book.isWhole = first <= 1
  for await (const record of log.readSubjects(book.aggregates)) {
    const decoded = decode(record, types)
    const arrival = decoded.outcome === 'event' ? decoded.event : decoded.arrival
    const isUnused = decoded.outcome === 'poison' || discarded.has(record.position)
    book.enter(record.id, arrival, isUnused, `at position ${record.position}`)
  }
}

interface Entry {
  id: string
  /** "at position 12", "in line 3" */
  where: string
}

/** Which sequences of the candidates' aggregates are taken, and by which event. */
class SequenceBook {
  /** False if the oldest events have left the log: then it is unknown whether they are missing. */
  isWhole = true
  readonly #ids: ReadonlySet<string>
  readonly #aggregates: Map<string, { taken: Map<number, Entry>; removed: boolean }>
  /** `creation/c_81 3` by the id of the event; of candidates' ids only. */
  readonly #published = new Map<string, { place: string; where: string }>()

  constructor(candidates: readonly Candidate[]) {
    this.#ids = new Set(candidates.map(({ id }) => id))
    this.#aggregates = new Map(candidates.map(({ aggregate }) => [aggregate, { taken: new Map(), removed: false }]))
  }

  get aggregates(): string[] {
    return [...this.#aggregates.keys()]
  }

  enter(id: string, event: Omit<Candidate, 'line'> | null, isUnused: boolean, where: string): void {
    if (this.#ids.has(id)) this.#published.set(id, { place: event === null ? '' : placeOf(event), where })
    const known = event === null || isUnused ? undefined : this.#aggregates.get(event.aggregate)
    if (known === undefined || event === null) return
    if (!known.taken.has(event.sequence)) known.taken.set(event.sequence, { id, where })
    if (event.name !== undefined && REMOVAL_EVENTS.has(event.name)) known.removed = true
  }

  report(candidates: readonly Candidate[]): SequenceReport {
    const complaints: SequenceReport['complaints'] = []
    let known = 0
    for (const { line, ...event } of candidates) {
      const same = this.#published.get(event.id)
      const other = this.#aggregates.get(event.aggregate)?.taken.get(event.sequence)
      if (same !== undefined && same.place === placeOf(event)) known += 1
      else if (same !== undefined) complaints.push({ line, reason: `another event has the id "${event.id}" (${same.where})` })
      else if (other !== undefined)
        complaints.push({
          line,
          reason: `another event has sequence ${event.sequence} of ${event.aggregate}: "${other.id}" (${other.where})`,
        })
      else this.enter(event.id, event, false, `in line ${line}`)
    }
    return { complaints, gaps: this.#gaps(), known }
  }

  #gaps(): SequenceReport['gaps'] {
    return [...this.#aggregates].flatMap(([aggregate, { taken, removed }]) => {
      const missing = removed ? [] : missingOf([...taken.keys()], this.isWhole)
      return missing.length === 0 ? [] : [{ aggregate, missing: gapsText(missing) }]
    })
  }
}

const placeOf = ({ aggregate, sequence }: Omit<Candidate, 'line'>): string => `${aggregate} ${sequence}`

function missingOf(sequences: number[], fromTheFirst: boolean): SequenceGaps {
  const gaps: [from: number, to: number][] = []
  const inOrder = sequences.sort((a, b) => a - b)
  let last = fromTheFirst ? 0 : (inOrder[0] ?? 0)
  for (const sequence of inOrder) {
    if (sequence > last + 1) gaps.push([last + 1, sequence - 1])
    last = sequence
  }
  return gaps
}
