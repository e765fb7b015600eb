import type { AggregateKind, Position } from '../../events/index.js'
import type { Doc, DocumentStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { Decisions } from '../dead-letters/discards.js'
import type { Projection } from '../definition/projection.js'
import { Source } from '../fold/log-reader.js'
import { History, type Step } from './history.js'
import { Refold } from './log-replay.js'

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
  const history = new History(`${kind}/${id}`)
  const refold = await Refold.begin({
    projection,
    source: new Source(log),
    scratch,
    decisions: await Decisions.of(store, projection.name),
    observe: (event, docs) => history.observe(event, docs.get(collection, id)),
    written: (write) => {
      if (write.collection === collection && write.id === id) history.written(write.after)
    },
    committed: (position) => history.committed(position),
    ...(advanced === undefined ? {} : { advanced }),
  })
  try {
    await refold.while(({ record }) => until === undefined || record.position <= until)
    const [document] = await refold.reads.get(collection, [id])
    return { projection: projection.name, collection: collection.name, id, steps: history.steps, document: document ?? null }
  } finally {
    await refold.close()
  }
}
