import { type AnyEvent, decode, REMOVAL_EVENTS } from '../../events/index.js'
import type { Collection, IndexQuery, ModelView, Write } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { countParked, deadLettersOf } from '../definition/dead-letter-collections.js'
import type { Projection, Ref } from '../definition/projection.js'
import type { DecodedRecord } from '../fold/log-page.js'

const PAGE = 1000

export interface RelatedEvents {
  /** In the order of the log, up to where the model is. */
  events: DecodedRecord[]
  /** The states of aggregates that the model knows to be removed, and no event here removes. */
  tombstones: Write[]
  /** Positions of those that the model has parked. */
  parkedAt: ReadonlySet<number>
}

/**
 * The events that the documents of one aggregate come from: its own, those of the aggregates that it refers to, such as an owner or
 * an original, and those of the aggregates that refer to it, such as remixes. Who liked or followed is only looked up: they
 * matter once they are erased.
 */
export class RelatedEventFinder {
  readonly #projection: Projection
  readonly #log: EventLog
  readonly #view: ModelView
  /** By subject. */
  readonly #read = new Map<string, DecodedRecord[]>()

  constructor(projection: Projection, log: EventLog, view: ModelView) {
    this.#projection = projection
    this.#log = log
    this.#view = view
  }

  async find(own: string): Promise<RelatedEvents> {
    await this.#readWithReferences([own])
    // Twice: a creator's remixes are those of their creations.
    const first = await this.#referring([own])
    await this.#readWithReferences(first)
    await this.#readWithReferences(await this.#referring(first))
    const events = [...this.#read.values()].flat().sort((a, b) => a.record.position - b.record.position)
    return { events, tombstones: await this.#tombstones(own), parkedAt: await this.#parkedAt() }
  }

  async #parkedAt(): Promise<Set<number>> {
    const positions = new Set<number>()
    if ((await countParked(this.#view)) === 0) return positions
    for (const subject of this.#read.keys()) for (const { position } of await deadLettersOf(this.#view, subject)) positions.add(position)
    return positions
  }

  /** And those that they refer to, in turn. */
  async #readWithReferences(subjects: readonly string[]): Promise<void> {
    for (let wanted = subjects; wanted.length > 0; ) {
      await this.#readAll(wanted)
      wanted = this.#subjectsOf(wanted.flatMap((subject) => this.#eventsOf(subject).flatMap((event) => this.#references(event))))
    }
  }

  async #readAll(subjects: readonly string[]): Promise<void> {
    for (const subject of subjects) this.#read.set(subject, [])
    for await (const record of this.#log.readSubjects(subjects)) {
      if (record.position > this.#view.checkpoint.position) continue
      this.#read.get(record.subject)?.push({ record, decoded: decode(record, this.#projection.events) })
    }
  }

  #eventsOf(subject: string): AnyEvent[] {
    return (this.#read.get(subject) ?? []).flatMap(({ decoded }) => (decoded.outcome === 'event' ? [decoded.event] : []))
  }

  #references(event: AnyEvent): readonly Ref[] {
    const fold = this.#projection.on[event.name]
    return ignoringFaults(() => fold?.refers?.(event) ?? fold?.touches?.(event)) ?? []
  }

  /** Of those documents that are states of aggregates, the subjects that have not been read. */
  #subjectsOf(refs: readonly Ref[]): string[] {
    const subjects = refs.flatMap(({ collection, id }) => {
      const [kind] = Object.entries(this.#projection.state).find(([, state]) => state.collection === collection) ?? []
      return kind === undefined ? [] : [`${kind}/${id}`]
    })
    return [...new Set(subjects)].filter((subject) => !this.#read.has(subject))
  }

  /** Whose documents refer to some aggregates now. */
  async #referring(subjects: readonly string[]): Promise<string[]> {
    const found = new Set<string>()
    for (const subject of subjects) {
      const slash = subject.indexOf('/')
      const referring = this.#projection.referring?.(subject.slice(0, slash), subject.slice(slash + 1)) ?? []
      for (const { collection, query, subjectOf } of referring)
        for (const id of await this.#idsOf(collection, query)) found.add(subjectOf(id))
    }
    return [...found].filter((each) => !this.#read.has(each))
  }

  async #idsOf(collection: Collection, query: IndexQuery): Promise<string[]> {
    const all: string[] = []
    for (;;) {
      const last = all.at(-1)
      const ids = await this.#view.ids(collection, { ...query, limit: PAGE, ...(last === undefined ? {} : { after: [last] }) })
      all.push(...ids)
      if (ids.length < PAGE) return all
    }
  }

  async #tombstones(own: string): Promise<Write[]> {
    const events = [...this.#read.keys()].flatMap((subject) => this.#eventsOf(subject))
    const removed = new Set([own, ...events.filter(({ name }) => REMOVAL_EVENTS.has(name)).map(({ aggregate }) => aggregate)])
    const touched = events.flatMap((event) => ignoringFaults(() => this.#projection.on[event.name]?.touches?.(event)) ?? [])
    const found: Write[] = []
    for (const [kind, { collection }] of Object.entries(this.#projection.state)) {
      const read = [...this.#read.keys()]
        .filter((subject) => subject.startsWith(`${kind}/`))
        .map((subject) => subject.slice(kind.length + 1))
      const ids = new Set([...read, ...touched.flatMap((each) => (each.collection === collection ? [each.id] : []))])
      const tombstones = (await this.#view.removedAmong(collection, [...ids])).filter((id) => !removed.has(`${kind}/${id}`))
      for (const after of await this.#view.get(collection, tombstones))
        if (after !== undefined) found.push({ collection, id: after._id, before: undefined, after })
    }
    return found
  }
}

/** Code of a projection that throws makes the event a dead letter when it is folded; here it leads nowhere. */
function ignoringFaults<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
