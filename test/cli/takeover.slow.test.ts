/** Two processes on one folder: each projection is led by one of them, and when that one dies the other takes over. */
import t from 'tap'
import { CommunityFeedPage } from '../../readmodels/feed/public-reads.js'
import { dataOf } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { leasesIn, longestLease } from '../harness/leases.js'
import { complaints, Serving } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { published } from '../spec/events.js'
import { Script } from '../spec/script.js'

/** More than the lease of a leader at its ordinary work. */
const SHORT_MS = 10_000

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

  const leaders = () => new Set(leasesIn(folder).map(({ pid }) => pid))

  await folder.until(() => leaders().size === 2)
  t.strictSame(leaders(), new Set([first.pid, second.pid]), 'they share the projections')
  await folder.append(script.write(published('third', { by: 'ben' })))
  await folder.caughtUp()
  t.strictSame([await total(first), await total(second)], [5, 5], 'both serve what either projects')

  // Building indexes takes a long lease, which the next renewal makes short again.
  await folder.until(() => longestLease(folder) < SHORT_MS)
  t.equal(await first.end('SIGKILL'), 'SIGKILL')
  t.equal(await total(second), 5, 'readers of the other notice nothing')
  await folder.append(script.write(published('fourth', { by: 'ben' })))
  const died = Date.now()
  await folder.caughtUp()
  t.comment(`projecting again ${Date.now() - died} ms later`)
  t.equal(await total(second), 6)
  t.strictSame(leaders(), new Set([second.pid]), 'the other leads everything now')
  t.equal(await second.end('SIGTERM'), 0)
  t.equal(complaints(second.stderr), '', 'without a complaint')
})
