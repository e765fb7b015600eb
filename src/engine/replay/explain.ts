import type { AggregateKind, Position } from '../../events/index.js'
import type { Doc, DocumentStore } from '../../ports/document-store.js'
import type { EventLog } from '../../ports/event-log.js'
import { Discards } from '../dead-letters/discards.js'
import type { Projection } from '../definition/projection.js'
import { LogReader } from '../fold/log-reader.js'
import { DocumentHistory, type HistoryEntry } from './history.js'
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
export async function explain({ projection, kind, id, log, store, scratch, until, onProgress }: ExplainOptions): Promise<Explanation | null> {
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
    onWrite: (write) => {
      if (write.collection === collection && write.id === id) history.onWrite(write.after)
    },
    onCommit: (position) => history.onCommit(position),
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
