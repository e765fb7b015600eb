/** Somebody asks for a rebuild and presses Ctrl+C, or asks for one that is under way. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { Requests } from '../../src/projector/requests.js'
import { vitrine } from '../serving/command.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { type RunOptions, Serving, spawnVitrine } from '../serving/program.js'
import { liked } from '../spec/events.js'
import { Script } from '../spec/script.js'

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
