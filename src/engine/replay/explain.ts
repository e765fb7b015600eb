import { type AggregateKind, decode, type Position } from '../../events/index.js'
import type { Doc, DocumentStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { Discards } from '../dead-letters/discards.js'
import type { Projection } from '../definition/projection.js'
import { type DecodedRecord, LogReader } from '../fold/log-reader.js'
import { type Difference, differences } from './compare-documents.js'
import { LogReplay } from './log-replay.js'

export interface Explanation {
  projection: string
  collection: string
  id: string
  steps: HistoryEntry[]
  /** As it is at the end of the log. */
  document: Doc | null
}

export interface ExplainOptions {
  projection: Projection
  kind: AggregateKind
  id: string
  log: EventLog
  store: DocumentStore
  scratch: DocumentStore
  until?: Position
  onProgress?: (events: number) => void
}

/** How one aggregate's document came to be what it is: every event that changed it, and every one about it. */
export async function explain({
  projection,
  kind,
  id,
  log,
  store,
  scratch,
  until,
  onProgress,
}: ExplainOptions): Promise<Explanation | null> {
  const state = projection.state[kind]
  if (state === undefined) return null
  const { collection } = state
  const history = new DocumentHistory(`${kind}/${id}`)
  const refold = await LogReplay.open({
    projection,
    reader: new LogReader(log),
    scratch,
    discards: await Discards.load(store, projection.name),
    onEvent: (event, docs) => history.observe(event, docs.get(collection, id)),
    onWrites: (writes, position) => {
      for (const write of writes) if (write.collection === collection && write.id === id) history.onWrite(write.after)
      history.onCommit(position)
    },
    ...(onProgress === undefined ? {} : { onProgress }),
  })
  try {
    await refold.foldWhile(({ record }) => until === undefined || record.position <= until)
    const [document] = await refold.reads.get(collection, [id])
    return { projection: projection.name, collection: collection.name, id, steps: history.steps, document: document ?? null }
  } finally {
    await refold.close()
  }
}

export interface HistoryEntry {
  position: Position
  appendedAt: number
  /** As published; `null` when not even that could be read. */
  type: string | null
  /** Of the aggregate that the event is about, which need not be the one explained: a like, a renamed creator. */
  subject: string
  /** What it changed, from (left) and to (right). Empty for an event about this aggregate that changed nothing. */
  changes: Difference[]
  note: string | null
}

/**
 * What has become of one aggregate's document, event by event. Documents are kept as text: they have to be told from what
 * later events make of them.
 */
export class DocumentHistory {
  readonly steps: HistoryEntry[] = []
  readonly #subject: string
  #now = ABSENT
  /** As it was last written. */
  #stored = ABSENT
  /** What the document was before steps that may yet be taken back. */
  #before: { position: Position; text: string }[] = []

  constructor(subject: string) {
    this.#subject = subject
  }

  /** `found` is `undefined` also where the document is not at hand: then it is as the store has it, since none is ever deleted. */
  observe(event: DecodedRecord, found: Doc | undefined): void {
    const { position, subject } = event.record
    this.#undoFrom(position)
    const after = found === undefined ? this.#stored : JSON.stringify(found)
    const changes = after === this.#now ? [] : differences(JSON.parse(this.#now) ?? undefined, JSON.parse(after) ?? undefined)
    if (subject !== this.#subject && changes.length === 0) return
    this.steps.push({ ...describeEvent(event), changes })
    this.#before.push({ position, text: this.#now })
    this.#now = after
  }

  /** The document has been written. */
  onWrite(doc: Doc | undefined): void {
    this.#stored = doc === undefined ? ABSENT : JSON.stringify(doc)
  }

  /** Nothing up to here is taken back any more. */
  onCommit(position: Position): void {
    this.#before = this.#before.filter((each) => each.position > position)
  }

  /** An event that has been seen before: some document was not fit to be written, and the fold has gone back. */
  #undoFrom(position: Position): void {
    while ((this.steps.at(-1)?.position ?? 0) >= position) {
      this.steps.pop()
      this.#now = this.#before.pop()?.text ?? this.#stored
    }
  }
}

const ABSENT = 'null'

function describeEvent({ record, decoded }: DecodedRecord): Omit<HistoryEntry, 'changes'> {
  const { position, appendedAt, subject } = record
  if (decoded.outcome === 'event') return { position, appendedAt, subject, type: decoded.event.name, note: null }
  if (decoded.outcome === 'unknown') return { position, appendedAt, subject, type: decoded.type, note: 'a type nobody here knows' }
  if (decoded.outcome === 'poison')
    return { position, appendedAt, subject, type: decoded.name, note: `cannot be folded: ${decoded.reason}` }
  return { ...describeEvent({ record, decoded: decode(record) }), note: 'discarded' }
}
