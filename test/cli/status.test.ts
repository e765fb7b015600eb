import t from 'tap'
import { vitrine } from '../serving/command.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { liked, played, poison } from '../spec/events.js'
import { Script } from '../spec/script.js'

const MODELS = ['feed', 'tags', 'profiles', 'shares', 'integrity']

await t.test('status', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  const status = async () => JSON.parse((await vitrine(['status', '--json', '--data-dir', folder.path])).stdout)

  await t.test('of nothing', async (t) => {
    const found = await status()
    t.strictSame(found.log, { first: 1, last: 0 })
    t.match(
      found.projections,
      MODELS.map((projection) => ({ projection, state: 'missing', generation: null, position: 0, lag: 0 })),
    )
    const { code, stdout } = await vitrine(['status', '--data-dir', folder.path])
    t.equal(code, 0)
    t.match(stdout, /^The log is empty\.\n/)
  })

  await folder.append(script.write(...COMMUNITY, poison(played('maze')), liked('maze', 'dora')))
  await folder.project()
  await folder.append(script.write(played('tides'), played('tides')))

  await t.test('of models that are behind, with something parked', async (t) => {
    const length = COMMUNITY.length + 2
    const found = await status()
    t.strictSame(found.log, { first: 1, last: length + 2 })
    t.match(
      found.projections,
      MODELS.map((projection) => ({ projection, state: 'live', generation: 1, position: length, lag: 2 })),
    )
    t.match(found.projections[0], { parked: 1, waiting: 1, tallies: { parked: 1, waiting: 1 } })
    t.match(found.projections[1], { parked: 0, waiting: 0 }, 'who does not follow plays is not concerned')
  })

  await t.test('for people', async (t) => {
    const { stdout } = await vitrine(['status', '--data-dir', folder.path])
    t.match(stdout, new RegExp(`^The log holds positions 1 to ${COMMUNITY.length + 4}\\.\n`))
    for (const model of MODELS) {
      const state = ['feed', 'integrity'].includes(model) ? 'degraded' : 'live'
      t.match(stdout, new RegExp(`^${model} +${state} +v\\d+ g1 +${COMMUNITY.length + 2} +2 `, 'm'))
    }
    t.match(stdout, /1 \(\+1 waiting\)/)
    t.match(stdout, /^feed is degraded: "vitrine dead-letters list feed" says why\.$/m)
    t.notMatch(stdout, /tags is degraded/)
  })
})
