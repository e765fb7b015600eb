/** What only a process shows: the program as it is installed, and how it ends when it is interrupted. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { withScratchStore } from '../../src/compose/stores.js'
import { RequestStore } from '../../src/engine/requests/request-store.js'
import { folderWith } from '../adapters/folder.js'
import { vitrine } from '../harness/command.js'
import { endedBySignal, manyCreations, stuckReplay, temporary } from '../harness/interrupted.js'
import { spawnVitrine } from '../harness/program.js'
import { builtFolder, rebuildUnderWay, SLOWLY } from '../harness/rebuilds.js'

const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: Record<'vitrine', string> }

t.test('it can be run as it was cloned', async (t) => {
  // npm links to it once, before anything is built.
  t.strictSame(Object.keys(bin), ['vitrine'])
  t.doesNotThrow(() => accessSync(bin.vitrine, constants.X_OK))
  t.match(readFileSync(bin.vitrine, 'utf8'), /^#!\/usr\/bin\/env node\n/)
  const { status, stdout } = spawnSync(join(process.cwd(), bin.vitrine), ['--version'], { encoding: 'utf8' })
  t.equal(status, 0)
  t.match(stdout, /^\d+\.\d+\.\d+/)
})

t.test('before anything is built it says what to do', async (t) => {
  const clone = folderWith()
  cpSync(bin.vitrine, join(clone, 'scripts/vitrine.mjs'))
  const { status, stderr } = spawnSync(join(clone, 'scripts/vitrine.mjs'), ['help'], { encoding: 'utf8' })
  t.equal(status, 2)
  t.match(stderr, /not built yet: "npm run build"/)
})

t.test('it reads .env in the working folder, below the environment', async (t) => {
  const lines = ['# for this machine', 'BASE_URL="https://api.in-file.example"', 'WEB_URL=https://web.in-file.example', 'WEB_PROT=1']
  const cwd = folderWith({ '.env': lines.join('\n') })
  const run = (folder: string, env: Record<string, string>) =>
    spawnSync(process.execPath, [join(process.cwd(), bin.vitrine), 'openapi'], { cwd: folder, env, encoding: 'utf8', maxBuffer: 1e8 })
  const { stdout, stderr } = run(cwd, { WEB_URL: 'https://web.in-environment.example' })
  t.ok(stdout.includes('https://api.in-file.example'))
  t.ok(stdout.includes('https://web.in-environment.example'))
  t.notOk(stdout.includes('https://web.in-file.example'))
  t.equal(stderr, 'vitrine openapi: there is no variable WEB_PROT (did you mean "WEB_PORT"?)\n')

  const secret = folderWith({ '.env': 'BASE_URL_FILE=nowhere' })
  t.equal(run(secret, {}).stderr, 'vitrine openapi: BASE_URL_FILE: cannot read nowhere\n')
  t.equal(run(secret, { BASE_URL: 'https://api.in-environment.example' }).status, 0, 'the environment wins over its files, too')

  const venv = folderWith({})
  mkdirSync(join(venv, '.env'))
  t.equal(run(venv, {}).status, 0, 'a folder of that name is something else')
})

t.test('an interrupted rebuild says who continues it, and how to end it', async (t) => {
  const folder = await builtFolder(t)
  const run = (interrupt: () => Promise<void>) => spawnVitrine(['rebuild', 'feed', ...SLOWLY, '--data-dir', folder.path], { interrupt })
  const alone = await run(() => rebuildUnderWay(folder))
  t.strictSame([alone.signal, alone.stdout], ['SIGINT', ''], 'as any command that is interrupted')
  t.match(
    alone.stderr,
    /^The rebuild of feed stops here: the next projector goes on with it, [^\n]+"vitrine rebuild feed --abort" ends it\.\n$/,
  )

  const abort = () => vitrine(['rebuild', 'feed', '--abort', '--data-dir', folder.path])
  t.equal((await abort()).code, 0)

  const open = () => new RequestStore(folder.documents).open('feed')
  const lease = await folder.documents.acquireLease('feed', 'another projector', 600_000)
  t.ok(lease)
  const led = await run(() => folder.until(async () => (await open()).length > 0))
  t.equal(led.signal, 'SIGINT')
  t.match(led.stderr, /^The rebuild of feed goes on in the projector that leads it; "vitrine status --watch" shows it, [^\n]+\n$/)
  t.equal((await open()).length, 1, 'it does')
  if (lease) await folder.documents.releaseLease(lease)
  t.match(await abort(), { code: 0, stdout: /aborted rebuild/ })
})

t.test('what a command folds beside the live models is gone when it ends', async (t) => {
  const lab = await manyCreations(t)

  await t.test('also when it is told to', async (t) => {
    const { env, left } = temporary()
    const { child, ended } = await stuckReplay(t, lab, env)
    t.match(await left(), [/^vitrine-/])
    child.kill('SIGTERM')
    const [code, by] = await ended
    t.ok(endedBySignal('SIGTERM', code, by), 'as any command that is interrupted')
    t.strictSame(await left(), [])
  })

  await t.test('also when its reader has seen enough', async (t) => {
    const { env, left } = temporary()
    const { child, ended } = await stuckReplay(t, lab, env)
    child.stdout.destroy()
    t.strictSame(await ended, [0, null])
    t.strictSame(await left(), [])
  })
})

t.test('no signal listener is left once the work is done, whether or not it failed', async (t) => {
  const listening = () => (['SIGINT', 'SIGTERM', 'exit'] as const).map((name) => process.listenerCount(name))
  const before = listening()
  const during = await withScratchStore(() => withScratchStore(async () => listening()))
  t.strictSame(
    during,
    before.map((count) => count + 1),
  )
  await t.rejects(
    withScratchStore(async () => {
      throw new Error('out of order')
    }),
  )
  t.strictSame(listening(), before)
})
