/** A separate process fills a generation. It must not slow readers down, nor outlive its leader. */
import { getPriority } from 'node:os'
import t, { type Test } from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { readConfig } from '../../../src/compose/config.js'
import { BACKGROUND_NICENESS, buildInProcess, type ProcessUsage } from '../../../src/compose/projector/generation-builder.js'
import { DEAD_LETTER_COLLECTIONS } from '../../../src/engine/definition/dead-letter-collections.js'
import type { BuildJob } from '../../../src/engine/generations/build-generation.js'
import { vitrine } from '../../harness/command.js'
import { COMMUNITY } from '../../harness/community.js'
import { DataFolder } from '../../harness/data-folder.js'
import { Serving } from '../../harness/program.js'
import { eventually } from '../../ports/subject.js'
import { childrenOf, isThere } from '../../support/linux-processes.js'

const BEFORE = childrenOf(process.pid)

const linux = { skip: process.platform !== 'linux' && 'processes are looked up as Linux shows them' }

t.test('the process that rebuilds has a lower priority than those that read', linux, async (t) => {
  const { fill, job } = await workshop(t)
  const own = getPriority()
  const enough = new AbortController()
  let priority = Number.NaN
  await fill(job, enough.signal, () => {
    priority = getPriority(theOnly())
    enough.abort()
  })
  t.equal(priority, Math.max(own, BACKGROUND_NICENESS))
  t.equal(getPriority(), own, 'this one keeps its own')
})

t.test('it reports its progress and the memory it has used', async (t) => {
  const { folder, job } = await workshop(t)
  const usages: ProcessUsage[] = []
  const positions: number[] = []
  const fill = buildInProcess(readConfig({ DATA_DIR: folder.path }), (used) => usages.push(used))
  await fill({ ...job, maxRate: null }, new AbortController().signal, ({ position }) => positions.push(position))
  t.equal(positions.at(-1), (await folder.log.bounds()).last)
  t.equal(usages.length, 1)
  t.ok((usages[0]?.maxRSS ?? 0) > 0)
})

t.test('a signal to all processes of a terminal does not end it', linux, async (t) => {
  const { fill, job } = await workshop(t)
  const enough = new AbortController()
  let told = 0
  await fill(job, enough.signal, () => {
    told += 1
    if (told === 1) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(theOnly(), signal)
    else enough.abort()
  })
  t.ok(told > 1, 'it went on until its parent stopped it')
})

t.test('when it is killed, the error says so', linux, async (t) => {
  const { fill, job } = await workshop(t)
  const filled = fill(job, new AbortController().signal, () => process.kill(theOnly(), 'SIGKILL'))
  await t.rejects(filled, { message: /ended before its work, with SIGKILL/ })
})

t.test('when it fails, its error is passed on, with its stack', async (t) => {
  const { fill, job } = await workshop(t)
  const filled = fill({ ...job, projection: 'nothing' }, new AbortController().signal, () => {})
  await t.rejects(filled, { message: 'there is no projection nothing', stack: /generation-builder-process/ })
})

t.test('one that is stopped before it has begun changes nothing', async (t) => {
  const { folder, fill, job } = await workshop(t)
  await fill(job, AbortSignal.abort(), () => {})
  const opened = await folder.documents.openGeneration(job.generation, feedProjection.collections)
  t.match(await opened.checkpoint(), { position: 0 })
  await opened.close()
})

t.test('it ends with its leader, also if that is killed, and the next one continues', linux, async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const serving = await Serving.start(t, folder.path)
  await serving.ready()
  const rebuild = vitrine(['rebuild', 'feed', '--max-rate', '5', '--data-dir', folder.path])
  const filling = await eventually(async () => childrenOf(serving.pid ?? 0).find(isThere))
  await serving.end('SIGKILL')
  await eventually(async () => !isThere(filling))
  t.equal((await rebuild).code, 0, 'the command that asked for it stood by')
})

async function workshop(t: Test) {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const generation = await folder.documents.createGeneration(feedProjection.name, feedProjection.version, [
    ...feedProjection.collections,
    ...DEAD_LETTER_COLLECTIONS,
  ])
  // So slow that it does not end before it was looked at.
  const job: BuildJob = { projection: feedProjection.name, generation, epoch: 1, maxRate: 10, replaces: null }
  return { folder, job, fill: buildInProcess(readConfig({ DATA_DIR: folder.path })) }
}

/** Our one process that is under way, the janitor aside. */
function theOnly(): number {
  const [pid, ...others] = childrenOf(process.pid).filter((pid) => isThere(pid) && !BEFORE.includes(pid))
  if (pid === undefined || others.length > 0) throw new Error(`there are ${others.length} processes too many, or none`)
  return pid
}
