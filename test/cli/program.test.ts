/** What only a process shows: the program as it is installed, and how it ends when it is interrupted. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, cpSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { constants as system } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { Requests } from '../../src/projector/requests.js'
import { withScratch } from '../../src/stores.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { eventually } from '../contracts/subject.js'
import { Lab, projectionOf } from '../replay/lab.js'
import { vitrine } from '../serving/command.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { type RunOptions, Serving, spawnVitrine } from '../serving/program.js'
import { erased, followed, liked, published, registered } from '../spec/events.js'
import { Script } from '../spec/script.js'

const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: Record<'vitrine', string> }

t.test('it can be run as it was cloned', async (t) => {
  t.strictSame(Object.keys(bin), ['vitrine'])
  t.doesNotThrow(() => accessSync(bin.vitrine, constants.X_OK))
  t.match(readFileSync(bin.vitrine, 'utf8'), /^#!\/usr\/bin\/env node\n/)
  const { status, stdout } = spawnSync(join(process.cwd(), bin.vitrine), ['--version'], { encoding: 'utf8' })
  t.equal(status, 0)
  t.match(stdout, /^\d+\.\d+\.\d+/)
})

t.test('before anything is built it says what to do', async (t) => {
  const clone = t.testdir({ scripts: {} })
  cpSync(bin.vitrine, join(clone, 'scripts/vitrine.mjs'))
  const { status, stderr } = spawnSync(join(clone, 'scripts/vitrine.mjs'), ['help'], { encoding: 'utf8' })
  t.equal(status, 2)
  t.match(stderr, /not built yet: "npm run build"/)
})

/** So slow that it is under way for as long as the test takes. */
const SLOWLY = ['--max-rate', '1']

const script = new Script()

async function built(t: Pick<Test, 'teardown'>): Promise<DataFolder> {
  const folder = await DataFolder.open(t)
  await folder.append(script.write(...COMMUNITY))
  await folder.project()
  return folder
}

/** Starts a service, and waits until it leads. */
async function serve(t: Pick<Test, 'teardown'>, folder: DataFolder): Promise<void> {
  const serving = await Serving.start(t, folder.path)
  await serving.ready()
  await folder.append(script.write(liked('maze', 'zoe')))
  await folder.caughtUp()
}

/** Settles when somebody has begun to fill a generation. */
const underWay = (folder: DataFolder): Promise<void> =>
  folder.until(async () => (await new Requests(folder.documents).open('feed')).some(({ phase }) => phase === 'loading'))

t.test('a rebuild that is interrupted says who goes on with it, and how to end it', async (t) => {
  const folder = await built(t)
  const run = (...args: string[]) =>
    spawnVitrine(['rebuild', 'feed', ...args, '--data-dir', folder.path], { interrupt: () => underWay(folder) })
  const alone = await run(...SLOWLY)
  t.strictSame([alone.signal, alone.stdout], ['SIGINT', ''], 'as any command that is interrupted')
  t.match(
    alone.stderr,
    /^The rebuild of feed stops here: the next projector goes on with it, [^\n]+"vitrine rebuild feed --abort" ends it\.\n$/,
  )

  t.equal((await vitrine(['rebuild', 'feed', '--abort', '--data-dir', folder.path])).code, 0)

  await serve(t, folder)
  const led = await run(...SLOWLY)
  t.equal(led.signal, 'SIGINT')
  t.match(led.stderr, /^The rebuild of feed goes on in the projector that leads it; "vitrine status --watch" shows it, [^\n]+\n$/)
  t.equal((await new Requests(folder.documents).open('feed')).length, 1, 'it does')
  t.match(await vitrine(['rebuild', 'feed', '--abort', '--data-dir', folder.path]), { code: 0, stdout: /aborted rebuild/ })
})

t.test('whoever joins a rebuild that is under way at another pace is told so', async (t) => {
  const folder = await built(t)
  await serve(t, folder)
  const rebuild = (args: string[], interrupt: RunOptions['interrupt']) =>
    spawnVitrine(['rebuild', 'feed', ...args, '--data-dir', folder.path], { interrupt })
  t.notMatch((await rebuild(SLOWLY, () => underWay(folder))).stderr, /already/)
  const told = async ({ stderr }: Pick<ChildProcess, 'stderr'>) => stderr && once(stderr, 'data')
  for (const other of [[], ['--max-rate', '5000']]) {
    const { stderr } = await rebuild(other, told)
    t.match(stderr, /^feed is being rebuilt already, at most 1 event per second, and goes on like that: .*--abort.*\n/)
  }
})

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
  by === signal || code === 128 + system.signals[signal]

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
