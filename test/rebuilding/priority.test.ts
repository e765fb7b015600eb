/** A rebuild must not take the processor away from those who read: on Linux its thread is told to step back. */
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import t from 'tap'
import { feed } from '../../projections/feed/index.js'
import { bringUpInThread, STEP_BACK } from '../../src/bring-up-in-thread.js'
import { readConfig } from '../../src/config.js'
import { DEAD_LETTERS } from '../../src/projector/dead-letters.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { Script } from '../spec/script.js'

t.test('the thread that rebuilds comes after the one that reads', { skip: process.platform !== 'linux' }, async (t) => {
  const folder = await DataFolder.open(t)
  await folder.append(new Script().write(...COMMUNITY))
  const generation = await folder.documents.createGeneration(feed.name, feed.version, [...feed.collections, ...DEAD_LETTERS])
  const job = { projection: feed.name, generation, epoch: 1, maxRate: 10, strictBeside: null }
  const own = getPriority()
  let beside: number[] = []
  const enough = new AbortController()
  // It is too slow to end before it was looked at.
  await bringUpInThread(readConfig({ DATA_DIR: folder.path }))(job, enough.signal, () => {
    beside = priorities()
    enough.abort()
  })
  t.ok(beside.includes(Math.max(own, STEP_BACK)), `the threads have priorities ${beside}`)
  t.equal(getPriority(), own, 'the other threads keep theirs')
})

/** Of the threads of this process. The fields follow the name, which may hold anything but ends with the last bracket. */
function priorities(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })
}
