/** Cards in the answers of a started service: they follow our models, and go with those behind them. */
import t from 'tap'
import { DataFolder } from '../../harness/data-folder.js'
import { Serving, spawnVitrine } from '../../harness/program.js'
import { eventually } from '../../ports/subject.js'

const env = { MODELS: './examples/wishes' }

const event = (type: string, subject: string, sequence: number, data: object): string =>
  JSON.stringify({
    ...{ specversion: '1.0', id: `${subject}-${sequence}`, source: '/test', type, subject },
    ...{ time: '2026-03-01T00:00:00Z', sequence, data },
  })

const title = { en: 'Quince press' }
const BEGINNING = [
  event('creator.registered.v1', 'creator/u_1', 1, { creatorId: 'u_1', handle: 'one', displayName: 'One' }),
  event('creation.published.v2', 'creation/c_1', 1, {
    ...{ creationId: 'c_1', creatorId: 'u_1', kind: 'app', slug: 'press', title, description: title },
    ...{ category: 'games', tags: [], coverUrl: null, remixOf: null },
  }),
  event('wish.made.v1', 'wish/w_1', 1, { wishId: 'w_1', creatorId: 'u_2', creationId: 'c_1', note: 'For pears' }),
]

t.test('an answer with a card changes and goes with what the card shows', async (t) => {
  const folder = await DataFolder.open(t)
  const publish = async (...events: string[]) => {
    const { code, stderr } = await spawnVitrine(['publish', '-', '--data-dir', folder.path], { env, input: events.join('\n') })
    t.equal(code, 0, stderr)
  }
  await publish(...BEGINNING)
  const serving = await Serving.start(t, folder.path, [], env)
  await serving.ready()
  const wish = async () => JSON.stringify(await (await fetch(`http://127.0.0.1:${serving.api}/public/share/x/wishes/w_1`)).json())
  const batch = async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'kept' }
    const body = JSON.stringify({ requests: [{ id: 'a', operation: 'x_wishes_get_wish', arguments: { wishId: 'w_1' } }] })
    return (await fetch(`http://127.0.0.1:${serving.web}/batch`, { method: 'POST', headers, body })).text()
  }
  t.match(await wish(), /For pears.*Quince press.*"displayName":"One"/)
  t.match(await batch(), /Quince press/)

  await publish(event('creator.profile_changed.v1', 'creator/u_1', 2, { creatorId: 'u_1', displayName: 'Another' }))
  await eventually(async () => /"displayName":"Another"/.test(await wish()))
  await publish(event('creation.unpublished.v1', 'creation/c_1', 2, { creationId: 'c_1' }))
  await eventually(async () => /"creation":null/.test(await wish()))
  await publish(event('creation.republished.v1', 'creation/c_1', 3, { creationId: 'c_1' }))
  await eventually(async () => /Quince press/.test(await wish()))

  await publish(event('creator.removed.v1', 'creator/u_1', 3, { creatorId: 'u_1' }))
  await eventually(async () => /For pears.*"creation":null/.test(await wish()))
  await eventually(async () => !/Quince press/.test(await batch()))
  t.pass('a kept reply is gone, too')
})
