/** Whatever a command folds beside the live models is gone when it ends, however it ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { withScratch } from '../../src/stores.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { eventually } from '../contracts/subject.js'
import { Lab, projectionOf } from '../replay/lab.js'
import { spawnVitrine } from '../serving/program.js'
import { erased, followed, published, registered } from '../spec/events.js'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

/** Where the program puts what is temporary. */
async function temporary(t: Pick<Test, 'teardown'>) {
  const path = await temporaryFolder()
  t.teardown(() => removeFolder(path))
  return { env: { TMPDIR: path }, left: () => readdir(path) }
}

/** A replay that cannot end: it prints far more than a pipe holds, and nobody reads. */
async function stuckReplay(t: Test, lab: Lab, env: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN, 'replay', 'feed', '--data-dir', lab.folder.path], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout, 'readable')
  return { child, ended: once(child, 'exit') }
}

/** A shell sees the same either way. By the signal itself, unless somebody else listens to it, as whoever watches over tests does. */
const isToldBy = (signal: 'SIGINT' | 'SIGTERM', code: number | null, by: NodeJS.Signals | null): boolean =>
  by === signal || code === 128 + constants.signals[signal]

const manyCreations = (t: Test): Promise<Lab> =>
  Lab.open(t, registered('ada'), ...Array.from({ length: 1500 }, (_, i) => published(`c${i}`, { by: 'ada' })))

t.test('a replay that is interrupted or told to end takes its scratch store with it', async (t) => {
  const lab = await manyCreations(t)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const { env, left } = await temporary(t)
    const { child, ended } = await stuckReplay(t, lab, env)
    t.match(await left(), [/^vitrine-/])
    child.kill(signal)
    const [code, by] = await ended
    t.ok(isToldBy(signal, code, by), 'as any command that is interrupted')
    t.strictSame(await left(), [])
  }
})

t.test('so does one whose reader has seen enough', async (t) => {
  const lab = await manyCreations(t)
  const { env, left } = await temporary(t)
  const { child, ended } = await stuckReplay(t, lab, env)
  child.stdout.destroy()
  t.strictSame(await ended, [0, null])
  t.strictSame(await left(), [])
})

t.test('so does a verification', async (t) => {
  const profiles = projectionOf('profiles')
  const lab = await Lab.open(t, registered('ada'), ...Array.from({ length: 2100 }, (_, i) => followed('ada', `fan${i}`)))
  // It waits for the end of the fan-out.
  await lab.tellHalf(profiles, erased('ada'))
  const { env, left } = await temporary(t)
  const interrupt = () => eventually(async () => (await left()).length > 0)
  const { code, signal, stdout } = await spawnVitrine(['verify', 'profiles', '--data-dir', lab.folder.path], { env, interrupt })
  t.ok(isToldBy('SIGINT', code, signal))
  t.equal(stdout, '')
  t.strictSame(await left(), [])
})

t.test('nobody listens any more once the work is done, well or not', async (t) => {
  const listening = () => (['SIGINT', 'SIGTERM', 'exit'] as const).map((name) => process.listenerCount(name))
  const before = listening()
  const during = await withScratch(() => withScratch(async () => listening()))
  t.strictSame(
    during,
    before.map((count) => count + 1),
  )
  await t.rejects(
    withScratch(async () => {
      throw new Error('out of order')
    }),
  )
  t.strictSame(listening(), before)
})
