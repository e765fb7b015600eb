import { SqliteEventStore } from '../../src/adapters/sqlite/event-store.js'
import { START } from '../../src/ports/event-log.js'
import { event } from '../ports/event-store/events.js'

/** A process that claims every ask job it hears of, except those that another process claimed first. */
const [path = ''] = process.argv.slice(2)
const store = new SqliteEventStore(path)
const stop = new AbortController()
process.on('disconnect', () => stop.abort())
process.send?.('ready')

for await (const { type, stream, revision } of store.subscribe('askjob', START, stop.signal)) {
  if (type !== 'requested') continue
  try {
    await store.append(stream, [event('started', { worker: process.pid })], revision)
  } catch (error) {
    if (!(error instanceof Error && error.name === 'WrongRevisionError')) throw error
  }
}
await store.close()
