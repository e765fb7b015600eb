import t from 'tap'
import { eventually } from '../contracts/subject.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { Serving } from '../serving/program.js'
import { played, poison } from '../spec/events.js'
import { Script } from '../spec/script.js'

t.test('every process can be asked how it is, whatever its roles', async (t) => {
  const folder = await DataFolder.open(t)
  await folder.append(new Script().write(...COMMUNITY, poison(played('maze'))))

  await t.test('one that projects', async (t) => {
    const serving = await Serving.start(t, folder.path, ['--roles', 'project'])
    const ask = (path: string) => fetch(`http://127.0.0.1:${serving.admin}${path}`)
    const text = async () => (await ask('/metrics')).text()
    await eventually(async () => (await ask('/health/ready').catch(() => null))?.status === 200)
    t.strictSame(await (await ask('/health/live')).json(), { status: 'alive' })
    await folder.caughtUp()
    // Figures come from the projector's thread a few times a second, the survey of the stores every other second.
    await eventually(async () => /^vitrine_parked_aggregates\{projection="feed"\} 1$/m.test(await text()))
    await eventually(async () => /^vitrine_events_total\{projection="feed",outcome="applied"\} [1-9]/m.test(await text()))
    const metrics = await text()
    t.match(metrics, /^vitrine_events_total\{projection="feed",outcome="parked"\} 1$/m)
    t.match(metrics, new RegExp(`^vitrine_projection_position\\{projection="tags"\\} ${COMMUNITY.length + 1}$`, 'm'))
    t.match(metrics, /^vitrine_projection_lag_events\{projection="tags"\} 0$/m)
    t.match(metrics, /^vitrine_projection_lag_seconds\{projection="tags"\} 0$/m)
    t.match(metrics, /^vitrine_commit_seconds_count\{projection="shares"\} [1-9]/m)
    t.match(metrics, /^vitrine_heartbeat_age_seconds\{projection="integrity"\} \d/m)
    t.match(metrics, /^vitrine_process_resident_memory_bytes \d+$/m)
    t.match(metrics, /^vitrine_ready 1$/m)
    t.notMatch(metrics, /^(?!#|vitrine_)\S/m, 'every name says whose it is')
    t.match(serving.stderr, /"event":"[^"]+","aggregate":"creation\/maze","position":\d+/, 'the log names the event that was parked')
    t.equal(await serving.end('SIGTERM'), 0)
  })

  await t.test('one that answers questions', async (t) => {
    const serving = await Serving.start(t, folder.path, ['--roles', 'ask'])
    const ask = (path: string) => fetch(`http://127.0.0.1:${serving.admin}${path}`)
    await eventually(async () => (await ask('/health/ready').catch(() => null))?.status === 200)
    t.match(await (await ask('/metrics')).text(), /^vitrine_ask_jobs\{state="queued"\} 0$/m)
    t.equal(await serving.end('SIGTERM'), 0)
  })
})
