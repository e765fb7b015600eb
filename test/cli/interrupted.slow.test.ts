/** Ctrl+C removes everything that a command has folded beside the live models. */
import t from 'tap'
import { projectionOf, ReplayFixture } from '../engine/replay/fixture.js'
import { endedBySignal, manyCreations, stuckReplay, temporary } from '../harness/interrupted.js'
import { spawnVitrine } from '../harness/program.js'
import { eventually } from '../ports/subject.js'
import { erased, followed, registered } from '../spec/events.js'

t.test('of a replay', async (t) => {
  const { env, left } = temporary()
  const { child, ended } = await stuckReplay(t, await manyCreations(t), env)
  t.match(await left(), [/^vitrine-/])
  child.kill('SIGINT')
  const [code, by] = await ended
  t.ok(endedBySignal('SIGINT', code, by), 'as any command that is interrupted')
  t.strictSame(await left(), [])
})

t.test('of a verification', async (t) => {
  const profiles = projectionOf('profiles')
  const fixture = await ReplayFixture.open(t, registered('ada'), ...Array.from({ length: 2100 }, (_, i) => followed('ada', `fan${i}`)))
  // It waits for the end of the fan-out.
  await fixture.tellHalf(profiles, erased('ada'))
  const { env, left } = temporary()
  const interrupt = () => eventually(async () => (await left()).length > 0)
  const { code, signal, stdout } = await spawnVitrine(['verify', 'profiles', '--data-dir', fixture.folder.path], { env, interrupt })
  t.ok(endedBySignal('SIGINT', code, signal))
  t.equal(stdout, '')
  t.strictSame(await left(), [])
})
