/** Custom models on NATS and MongoDB: rolled out beside processes without them, used, erased, and taken away. */
import t from 'tap'
import { START } from '../../src/events/index.js'
import { eventually } from '../ports/subject.js'
import { Cluster } from './cluster.js'

const OWN = ['--models', './examples/shelves']

const event = (type: string, subject: string, sequence: number, data: object) => ({
  id: `${subject}-${sequence}`,
  subject,
  payload: JSON.stringify({
    ...{ specversion: '1.0', id: `${subject}-${sequence}`, source: '/test', type, subject },
    ...{ time: '2026-03-01T00:00:00Z', sequence, data },
  }),
})

await t.test('a change of custom models is rolled out over a cluster', async (t) => {
  const cluster = await Cluster.start(t)
  if (cluster === null) return
  const done = async (command: string, ...args: string[]) => {
    const { code, stdout, stderr } = await cluster.run(command, ...args)
    t.equal(code, 0, `${command} ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  await cluster.log.append([
    event('creator.registered.v1', 'creator/u_9', 1, { creatorId: 'u_9', handle: 'nine', displayName: 'Nine' }),
    event('shelf.opened.v1', 'shelf/s_9', 1, { shelfId: 's_9', creatorId: 'u_9', title: 'Quinces' }),
  ])
  const before = await cluster.serve(t, 'query,project')
  await before.ready()

  t.match(await done('models', 'accept', '--beside', ...OWN), 'Accepted beside the former one.')
  t.match(await done('status'), 'feed', 'the former set is still accepted')
  t.match((await cluster.run('redact', 'creator/u_9')).stderr, 'a change of the models is being rolled out')
  const projector = await cluster.serve(t, 'project', ...OWN)
  const query = await cluster.serve(t, 'query', ...OWN)
  await query.ready()
  const shelf = () => fetch(`http://127.0.0.1:${query.api}/public/share/x/shelves/s_9`)
  t.strictSame(await (await shelf()).json(), { code: 0, data: { title: 'Quinces' } })
  t.equal((await fetch(`http://127.0.0.1:${before.api}/public/share/tags`)).status, 200, 'the old process serves on')

  t.equal(await before.end('SIGTERM'), 0)
  t.match(await done('models', 'accept', ...OWN), 'Accepted.')
  t.match((await cluster.run('status')).stderr, 'this installation works with other models')
  t.equal(await (await cluster.serve(t, 'query')).end('SIGCONT'), 2, 'nor does a process start without them')
  t.match(await done('verify', 'all', ...OWN), /shelves.*none differs/)

  await cluster.log.append([event('creator.removed.v1', 'creator/u_9', 2, { creatorId: 'u_9' })])
  await eventually(async () => (await shelf()).status === 404)
  await eventually(async () => (await cluster.run('redact', 'creator/u_9', ...OWN)).code === 0)
  const left = (await cluster.log.read(START, 10)).map(({ payload }) => payload).join('\n')
  t.notMatch(left, /Quinces/)
  t.match(await done('verify', 'all', ...OWN), /shelves.*none differs/)

  for (const process of [query, projector]) t.equal(await process.end('SIGTERM'), 0)
  t.match(await done('models', 'accept'), 'Dropped with all their generations: shelves.')
  t.strictSame(await cluster.documents.generations('shelves'), [])
})
