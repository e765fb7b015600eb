/** Two processes on one folder: each projection is led by one of them, and when that one dies the other takes over. */
import { join } from 'node:path'
import t from 'tap'
import { openDatabase } from '../../src/adapters/sqlite/database.js'
import { CommunityFeedPage } from '../../src/operations/shapes.js'
import { dataOf } from '../serving/answers.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { Serving } from '../serving/program.js'
import { request } from '../serving/sockets.js'
import { published } from '../spec/events.js'
import { Script } from '../spec/script.js'

t.setTimeout(120_000)

/** Who leads what, by process id. */
function leaders(folder: DataFolder): Map<string, number> {
  const control = openDatabase(join(folder.path, 'models', 'control.db'))
  try {
    const rows = control.prepare('SELECT projection, holder FROM leases').raw().all()
    // Two text columns, as selected.
    return new Map((rows as unknown as [string, string][]).map(([projection, holder]) => [projection, Number(holder.split('/')[1])]))
  } finally {
    control.close()
  }
}

t.test('a follower takes over from a leader that was killed', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  await folder.append(script.write(...COMMUNITY))
  const first = await Serving.start(t, folder.path)
  await first.ready()
  const second = await Serving.start(t, folder.path)
  await second.ready()

  const total = async ({ api }: Serving) =>
    dataOf(
      CommunityFeedPage,
      await request(api, '/public/share/community', { headers: { 'service-min-position': String((await folder.log.bounds()).last) } }),
    ).total

  t.strictSame(new Set(leaders(folder).values()), new Set([first.pid]), 'one of them leads everything')
  await folder.append(script.write(published('third', { by: 'ben' })))
  await folder.caughtUp()
  t.strictSame([await total(first), await total(second)], [5, 5], 'both serve what the leader projects')

  t.equal(await first.end('SIGKILL'), 'SIGKILL')
  t.equal(await total(second), 5, 'readers of the other notice nothing')
  await folder.append(script.write(published('fourth', { by: 'ben' })))
  const died = Date.now()
  await folder.caughtUp()
  t.comment(`projecting again ${Date.now() - died} ms later`)
  t.equal(await total(second), 6)
  t.strictSame(new Set(leaders(folder).values()), new Set([second.pid]), 'the other leads everything now')
  t.equal(await second.end('SIGTERM'), 0)
  t.equal(second.stderr, '', 'without a complaint')
})
