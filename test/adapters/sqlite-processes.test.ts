import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { SqliteEventStore } from '../../src/adapters/sqlite/event-store.js'
import { event, follow, next } from '../ports/event-store/events.js'
import { removeFolder, temporaryFolder } from './folder.js'

const WORKER = fileURLToPath(new URL('claiming-worker.js', import.meta.url))
const JOBS = 60

await t.test('processes that share a file claim each job once, and hear of all of them', async (t) => {
  const folder = await temporaryFolder()
  const path = join(folder, 'asks.db')
  const store = new SqliteEventStore(path)
  const workers = [1, 2, 3].map(() => fork(WORKER, [path], { stdio: 'inherit' }))
  t.teardown(async () => {
    await store.close()
    for (const worker of workers) worker.kill()
    await removeFolder(folder)
  })

  await Promise.all(workers.map((worker) => once(worker, 'message')))

  const everything = next(follow(t, store), JOBS * 2)
  for (let job = 0; job < JOBS; job++) await store.append(`askjob-${job}`, [event('requested')], 'no stream')
  const claims = (await everything).filter(({ type }) => type === 'started')

  t.equal(claims.length, JOBS)
  t.equal(new Set(claims.map(({ stream }) => stream)).size, JOBS)
  t.ok(claims.every(({ revision, data }) => revision === 1 && workers.some(({ pid }) => pid === data.worker)))
  t.strictSame(await Promise.all(workers.map(dismissed)), [0, 0, 0], 'every worker ends by itself, without an error')
})

async function dismissed(worker: ChildProcess): Promise<unknown> {
  const exit = once(worker, 'exit')
  worker.disconnect()
  const [code] = await exit
  return code
}
