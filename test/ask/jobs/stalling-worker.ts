import { pino } from 'pino'
import { SqliteEventStore } from '../../../src/adapters/sqlite/event-store.js'
import { AskWorker } from '../../../src/ask/jobs/worker.js'

/** A process that takes a job and never comes to an answer; it says so when it has one. */
const [path = '', leaseMs = '0'] = process.argv.slice(2)
const answer = () => {
  process.send?.('taken')
  return new Promise<never>(() => {})
}
new AskWorker(new SqliteEventStore(path), answer, pino({ level: 'silent' }), { leaseMs: Number(leaseMs) }).start()
