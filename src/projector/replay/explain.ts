import { type AggregateKind, decode, type Position } from '../../events/index.js'
import type { Doc, DocumentStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { Decisions } from '../decisions.js'
import type { Projection } from '../definition.js'
import { Source, type SourceEvent } from '../source.js'
import { type Difference, differences } from './differences.js'
import { Refold } from './refold.js'

export interface Step {
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

export interface Explanation {
  projection: string
  collection: string
  id: string
  steps: Step[]
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
  advanced?: (events: number) => void
}

/** How one aggregate's document came to be what it is: every event that changed it, and every one about it. */
export async function explain({ projection, kind, id, log, store, scratch, until, advanced }: ExplainOptions): Promise<Explanation | null> {
  const state = projection.state[kind]
  if (state === undefined) return null
  const { collection } = state
  const steps: Step[] = []
  let before = 'null'
  const refold = await Refold.begin({
    projection,
    source: new Source(log),
    scratch,
    decisions: await Decisions.of(store, projection.name),
    observe: (event, docs) => {
      const about = event.record.subject === `${kind}/${id}`
      const found = docs.get(collection, id)
      // Not loaded means not touched. Kept as text: it has to be told from what later events make of it.
      const after = found === undefined ? (about ? 'null' : before) : JSON.stringify(found)
      const changes = after === before ? [] : differences(JSON.parse(before) ?? undefined, JSON.parse(after) ?? undefined)
      before = after
      if (about || changes.length > 0) steps.push({ ...describe(event), changes })
    },
    ...(advanced === undefined ? {} : { advanced }),
  })
  try {
    await refold.while(({ record }) => until === undefined || record.position <= until)
    const [document] = await refold.reads.get(collection, [id])
    return { projection: projection.name, collection: collection.name, id, steps, document: document ?? null }
  } finally {
    await refold.close()
  }
}

function describe({ record, decoded }: SourceEvent): Omit<Step, 'changes'> {
  const { position, appendedAt, subject } = record
  if (decoded.outcome === 'event') return { position, appendedAt, subject, type: decoded.event.name, note: null }
  if (decoded.outcome === 'unknown') return { position, appendedAt, subject, type: decoded.type, note: 'a type nobody here knows' }
  if (decoded.outcome === 'poison')
    return { position, appendedAt, subject, type: decoded.name, note: `cannot be folded: ${decoded.reason}` }
  return { ...describe({ record, decoded: decode(record) }), note: 'discarded' }
}
