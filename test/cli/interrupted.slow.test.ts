/** Ctrl+C removes everything that a command has folded beside the live models. Of a replay, test/cli/program looks at it. */
import t from 'tap'
import { projectionOf, ReplayFixture } from '../engine/replay/fixture.js'
import { endedBySignal, temporary } from '../harness/interrupted.js'
import { spawnVitrine } from '../harness/program.js'
import { eventually } from '../ports/subject.js'
import { erased, followed, registered } from '../spec/events.js'

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
