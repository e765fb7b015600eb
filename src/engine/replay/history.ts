import { decode, type Position } from '../../events/index.js'
import type { Doc } from '../../ports/document-store.js'
import type { DecodedRecord } from '../fold/log-reader.js'
import { type Difference, differences } from './differences.js'

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
