/** A rolling deploy on NATS and MongoDB: processes of two releases side by side, there and back again. */
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { CommunityFeedPage } from '../../readmodels/feed/public-reads.js'
import { dataOf } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import type { Serving } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'
import { published } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { Cluster } from './cluster.js'
import { releaseWithFeed } from './release.js'

/** Slow enough to look on, a few seconds all in all. */
const RATE = 100

/** The feed of this release, and of the next. */
const OLD = feedProjection.version
const NEW = OLD + 1

/** Stops a process like a deploy does: its readers go to others first. */
async function leave(serving: Serving, readers: FeedReader[]): Promise<unknown> {
  const index = readers.findIndex((reader) => reader.serving === serving)
  for (const reader of readers.splice(index, 1)) await reader.stop()
  return serving.end('SIGTERM')
}

class Publisher {
  readonly #script = new Script()
  readonly #cluster: Cluster
  #count = 0

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /** How many creations there are that are never removed. */
  async publish(count: number): Promise<number> {
    const told = Array.from({ length: count }, (_, n) => published(`rolling-${this.#count + n}`, { by: 'ben' }))
    const first = this.#count === 0 ? COMMUNITY : []
    await this.#cluster.log.append(this.#script.write(...first, ...told))
    this.#count += count
    return this.#count
  }
}

/** Asks one process for the feed, again and again. */
class FeedReader {
  static readonly complaints: string[] = []
  static reads = 0
  readonly serving: Serving
  #stopped = false
  #most = 0
  readonly #reading: Promise<void>

  constructor(serving: Serving) {
    this.serving = serving
    this.#reading = this.#read()
  }

  /** Until there are so many besides the community. */
  async sees(total: number): Promise<void> {
    await eventually(async () => this.#most >= total)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#reading
  }

  async #read(): Promise<void> {
    // Often, but not so often that the machine has time for nothing else.
    for (; !this.#stopped; await pause(20)) {
      const answer = await request(this.serving.api, '/public/share/community?q=rolling&limit=1')
      FeedReader.reads += 1
      if (answer.statusCode !== 200) {
        FeedReader.complaints.push(`${answer.statusCode} ${answer.body}`)
        continue
      }
      const { total } = dataOf(CommunityFeedPage, answer)
      if (total < this.#most) FeedReader.complaints.push(`${total} after ${this.#most}`)
      this.#most = Math.max(this.#most, total)
    }
  }
}

await t.test('an old and a new release side by side: readers notice nothing, and no event is lost', async (t) => {
  const cluster = await Cluster.start(t)
  if (cluster === null) return
  const newer = cluster.ofRelease(await releaseWithFeed(NEW))
  const publisher = new Publisher(cluster)
  await publisher.publish(200)
  const old = await cluster.serve(t, 'query,project', '--on-version-change', 'rebuild')
  await old.ready()
  const readers = [new FeedReader(old)]
  const feed = () => cluster.documents.generations('feed')
  const live = async () => (await feed()).find(({ state }) => state === 'live')
  const liveIs = (version: number) => eventually(async () => (await live())?.version === version)
  /** Something new, as readers of every process see it. */
  const seen = async (what: string) => {
    const total = await publisher.publish(3)
    await Promise.all(readers.map((reader) => reader.sees(total)))
    t.pass(`events reach the readers of ${readers.length} processes: ${what}`)
  }
  /** A difference that is there lasts; one that was being written does not. */
  const verified = async (release: Pick<Cluster, 'run'>, what: string) => {
    await cluster.caughtUp()
    const first = await release.run('verify', 'feed')
    if (first.code !== 0) t.comment(`${what}: ${first.stdout}${first.stderr}`)
    const { code, stdout, stderr } = first.code === 0 ? first : await release.run('verify', 'feed')
    t.equal(code, 0, `verify finds nothing: ${what}\n${stdout}${stderr}`)
  }

  // The new release comes, and is told not to rebuild.
  const next = await newer.serve(t, 'query,project', '--on-version-change', 'keep')
  await next.ready()
  readers.push(new FeedReader(next))
  await eventually(async () => next.stderr.includes('the live generation is of another version'))
  t.match(JSON.parse((await newer.run('status', '--json')).stdout).projections, [{ projection: 'feed', state: 'outdated', version: OLD }])
  await seen('the new release leaves the feed to the old one')
  t.match(await feed(), [{ version: OLD, state: 'live' }])

  // A rebuild. While the new generation loads, the old release continues with its own.
  const rebuilt = newer.run('rebuild', 'feed', '--max-rate', String(RATE))
  await eventually(async () => (await feed()).some(({ version, state }) => version === NEW && state === 'loading'))
  await seen('the old release projects while the new one loads')
  t.match(await live(), { version: OLD }, 'and the new generation was not live yet')
  t.match(await rebuilt, { code: 0, stdout: /rebuild done, generation 2 is live/ })
  await eventually(async () => old.stderr.includes('the live generation is of another version'))
  await seen('the new release projects, and the old one reads what it makes')
  t.match(await feed(), [
    { version: OLD, state: 'retired' },
    { version: NEW, state: 'live' },
  ])
  await verified(newer, 'after the switch-over')

  // It was a mistake: back, with both still there. The new release does not take it away again.
  t.match(await cluster.run('rebuild', 'feed', '--rollback'), { code: 0, stdout: /rollback done, generation 1 is live/ })
  await seen('back on the old release')
  t.match(await live(), { version: OLD, number: 1 })
  await verified(cluster, 'after the rollback')
  t.equal(await leave(next, readers), 0)

  // Started again, it does not undo the rollback. An operator does; then the old one goes, and must not take the feed back when it is started.
  const again = await newer.serve(t, 'query,project', '--on-version-change', 'rebuild')
  await again.ready()
  readers.push(new FeedReader(again))
  await eventually(async () => again.stderr.includes('the live generation is of another version'))
  t.match(await live(), { version: OLD }, 'the rollback holds')
  t.match(await newer.run('rebuild', 'feed'), { code: 0 })
  await liveIs(NEW)
  await seen('rebuilt because an operator says so')
  t.equal(await leave(old, readers), 0)
  await seen('the old release is gone')
  const late = await cluster.serve(t, 'query,project', '--on-version-change', 'rebuild')
  await late.ready()
  readers.push(new FeedReader(late))
  await eventually(async () => late.stderr.includes('the live generation is of another version'))
  await seen('an old process that comes late leaves the feed alone')
  t.match(await live(), { version: NEW })
  await verified(newer, 'at the end')
  for (const serving of [late, again]) t.equal(await leave(serving, readers), 0)
  t.strictSame(FeedReader.complaints, [], `${FeedReader.reads} reads, none refused, none of less than before`)
})
