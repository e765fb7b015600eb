import { decode, type EventTypes, type Position } from '../../events/index.js'
import { type Collection, type Doc, ModelUnavailableError, StorageError } from '../../ports/document-store.js'
import { ref } from '../definition/projection.js'
import type { DecodedRecord } from '../fold/log-page.js'
import { type Difference, differences } from './compare-documents.js'
import { LogReplay, type LogReplayOptions } from './log-replay.js'
import { RelatedEventFinder, type RelatedEvents } from './related-events.js'
import { VersionMismatchError, withLiveView } from './shadow-replay.js'

export interface Explanation {
  projection: string
  collection: string
  id: string
  steps: readonly HistoryEntry[]
  /** As it is at the end of the log, or where the live model is. */
  document: Doc | null
  /** Where the live document differs, with its values on the left; `null` where the whole log was read. */
  differing: Difference[] | null
}

interface ExplainOptions extends Pick<LogReplayOptions, 'projection' | 'log' | 'store' | 'scratch' | 'onProgress'> {
  kind: string
  id: string
  /** Read all of it, not only the events that have to do with the aggregate. */
  wholeLog: boolean
}

/** The history of one aggregate's document: every event that changed it, and every event of the aggregate. */
export async function explain({ wholeLog, ...options }: ExplainOptions): Promise<Explanation | null> {
  const { collection } = options.projection.state[options.kind] ?? {}
  if (collection === undefined) return null
  return (wholeLog ? null : await explainBesideModel(options)) ?? explainFrom(options, collection, undefined, null)
}

/** From the events that have to do with it, compared with the live document; `null` where there is none to compare with. */
export async function explainBesideModel(options: Omit<ExplainOptions, 'wholeLog'>): Promise<Explanation | null> {
  const { projection, kind, id, log, store } = options
  const { collection } = projection.state[kind] ?? {}
  if (collection === undefined) return null
  const found = await withLiveView(store, projection, async (view) => {
    const [doc] = await view.get<Doc>(collection, [id])
    const isBetweenEvents = view.checkpoint.slice === null
    return { only: await new RelatedEventFinder(projection, log, view).find(`${kind}/${id}`), live: isBetweenEvents ? doc : null }
  }).catch((error) => {
    if (!UNREADABLE.some((known) => error instanceof known)) throw error
    return null
  })
  return found && explainFrom(options, collection, found.only, found.live)
}

/** There is no live model of this version, or it is damaged: then the log alone tells. */
const UNREADABLE = [ModelUnavailableError, VersionMismatchError, StorageError]

/** `live`: the document to compare with; `null` for no comparison. */
async function explainFrom(
  { kind, id, ...options }: Omit<ExplainOptions, 'wholeLog'>,
  collection: Collection,
  only: RelatedEvents | undefined,
  live: Doc | undefined | null,
): Promise<Explanation> {
  const { projection } = options
  const history = new DocumentHistory(`${kind}/${id}`, projection.events)
  const replay = await LogReplay.open({
    ...options,
    only,
    ...(only === undefined ? {} : { parkedAt: only.parkedAt }),
    onEvent: (event, docs) => history.observe(event, docs.isLoaded(ref(collection, id)) ? (docs.get(collection, id) ?? null) : undefined),
    onWrites: (writes, position) => {
      for (const write of writes) if (write.collection === collection && write.id === id) history.onWrite(write.after)
      history.onCommit(position)
    },
  })
  try {
    await replay.foldWhile(() => true)
    const [document] = await replay.reads.get(collection, [id])
    const differing = live === null ? null : differences(live, document)
    return { projection: projection.name, collection: collection.name, id, steps: history.entries(), document: document ?? null, differing }
  } finally {
    await replay.close()
  }
}

export interface HistoryEntry {
  position: Position
  appendedAt: number
  /** `null` when it could not be read. */
  type: string | null
  /** The event's aggregate, which may be another one: a creator who was renamed, for example. */
  subject: string
  /** Within the event's aggregate; `null` when it could not be read. */
  sequence: number | null
  /** Before (left) and after (right). Empty for an event of this aggregate that changed nothing. */
  changes: Difference[]
  /** That it was discarded, or why it could not be folded. */
  note: string | null
}

/** Collects the changes of one document. Keeps documents as text, because folds may change them in place. */
export class DocumentHistory {
  readonly #steps: HistoryEntry[] = []
  readonly #subject: string
  readonly #types: EventTypes
  #now = ABSENT
  /** As it was last written. */
  #stored = ABSENT
  /** The document before each step that may still be undone. */
  #before: { position: Position; text: string }[] = []

  constructor(subject: string, types: EventTypes) {
    this.#subject = subject
    this.#types = types
  }

  /** `found` is `null` when there is no document, and `undefined` when it is not loaded: then it is as stored. */
  observe(event: DecodedRecord, found: Doc | null | undefined): void {
    const { position, subject } = event.record
    this.#undoFrom(position)
    const after = found === undefined ? this.#stored : JSON.stringify(found)
    const changes = after === this.#now ? [] : differences(JSON.parse(this.#now) ?? undefined, JSON.parse(after) ?? undefined)
    if (subject !== this.#subject && changes.length === 0) return
    this.#steps.push({ ...describeEvent(event, this.#types), changes })
    this.#before.push({ position, text: this.#now })
    this.#now = after
  }

  entries(): readonly HistoryEntry[] {
    return this.#steps
  }

  /** The document has been written. */
  onWrite(doc: Doc | undefined): void {
    this.#stored = doc === undefined ? ABSENT : JSON.stringify(doc)
  }

  /** Nothing up to here can be undone any more. */
  onCommit(position: Position): void {
    this.#before = this.#before.filter((each) => each.position > position)
  }

  /** An event that was seen before: the writer has gone back because of an invalid document. */
  #undoFrom(position: Position): void {
    while ((this.#steps.at(-1)?.position ?? 0) >= position) {
      this.#steps.pop()
      this.#now = this.#before.pop()?.text ?? this.#stored
    }
  }
}

const ABSENT = 'null'

function describeEvent({ record, decoded }: DecodedRecord, types: EventTypes): Omit<HistoryEntry, 'changes'> {
  const { position, appendedAt, subject } = record
  const { sequence } = (decoded.outcome === 'event' ? decoded.event : decoded.arrival) ?? { sequence: null }
  const described = { position, appendedAt, subject, sequence }
  switch (decoded.outcome) {
    case 'event':
      return { ...described, type: decoded.event.name, note: null }
    case 'unknown':
      return { ...described, type: decoded.type, note: 'an unknown type' }
    case 'poison':
      return { ...described, type: decoded.name, note: `cannot be folded: ${decoded.reason}` }
    case 'discarded':
      return { ...describeEvent({ record, decoded: decode(record, types) }, types), note: 'discarded' }
  }
}
