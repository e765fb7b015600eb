import { pino } from 'pino'
import { SqliteEventStore } from '../../../src/adapters/sqlite/event-store.js'
import { JobFollower } from '../../../src/ask/jobs/job-follower.js'
import { AskWorker } from '../../../src/ask/jobs/worker.js'

/** A process that takes a job and never comes to an answer; it says so when it has one. */
const [path = '', leaseMs = '0'] = process.argv.slice(2)
const answer = () => {
  process.send?.('taken')
  return new Promise<never>(() => {})
}
const logger = pino({ level: 'silent' })
const jobs = new JobFollower(new SqliteEventStore(path), logger)
new AskWorker(jobs, answer, logger, { leaseMs: Number(leaseMs) }).start()
jobs.start()
