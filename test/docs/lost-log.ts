/** The page on a log that came back older, played through as it says, on any installation, while a caller asks for somebody erased. */
import type { Test } from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { ErasedCaller } from '../harness/erased-caller.js'
import type { Finished } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { erased, published, registered } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { blocksOf } from './upstream-mistakes.js'

const script = new Script()
/** What the older log has. */
export const BEFORE = script.write(...COMMUNITY)
/** What is lost with the newer one. */
export const LOST = script.write(registered('dora'), published('dial', { by: 'dora' }), erased('ada'))

interface Installation {
  run(command: string, ...args: string[]): Promise<Finished>
  /** Puts the older log in the place of the newer one. Returns the port of the API. */
  goBack(): Promise<number>
  caughtUp(): Promise<void>
  apiPort: number
}

/** All of {@link BEFORE} and {@link LOST} is in the models. */
export async function play(t: Test, { run, goBack, caughtUp, apiPort }: Installation): Promise<void> {
  const caller = new ErasedCaller(t, apiPort)
  t.equal((await request(apiPort, '/public/share/app/dora/dial-slug')).statusCode, 200)
  caller.port = await goBack()
  const [aborting, aborted] = await timed(() => run('rebuild', 'all', '--abort'))
  t.equal(aborted.code, 0)
  const [refusing, refused] = await timed(() => run('rebuild', 'all'))
  t.equal(refused.code, 1)
  t.match(refused.stdout, /^feed: rebuild failed, The log has no event at position .*"vitrine rebuild all --accept-log"/m)
  t.ok(refusing < 10 * aborting, `it says so at once: ${refusing} ms, where what is possible takes ${aborting} ms`)
  const blocks = blocksOf('The log came back older, or is another', 'docs/operating.md', '##')
  t.equal(blocks.length, 3)
  for (const { commands, shown } of blocks) {
    let printed = ''
    for (const [command = '', ...args] of commands) {
      const { code, stdout, stderr } = await run(command, ...args)
      t.equal(code, /^BAD|Nothing was changed/m.test(stdout + stderr) ? 1 : 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`)
      printed += stdout + stderr
      if (command === 'rebuild' && code === 0) await caughtUp()
    }
    for (const line of shown) t.ok(printed.includes(line), `${line}\nin\n${printed}`)
  }
  t.equal((await request(caller.port, '/public/share/app/dora/dial-slug')).statusCode, 404, 'what is lost is lost')
  t.equal((await request(caller.port, '/public/share/app/cleo/winter-maze')).statusCode, 200)
  await caller.stop()
  t.strictSame(caller.seen, [], `erased in ${caller.answers} answers`)
  t.ok(caller.answers > 5, 'and it asked all the while')
}

async function timed<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const started = performance.now()
  const result = await work()
  return [performance.now() - started, result]
}
