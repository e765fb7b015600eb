/** From embedded stores to servers: the log is copied, three variables are set, and every answer stays the same. */
import t from 'tap'
import { CommunityFeedPage } from '../../readmodels/feed/public-reads.js'
import { dataOf } from '../harness/answers.js'
import { vitrine } from '../harness/command.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { Serving } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { eventually } from '../ports/subject.js'
import { liked } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { Cluster } from './cluster.js'

await t.test('a copy of the log and three variables: the same answers', async (t) => {
  const cluster = await Cluster.start(t)
  if (cluster === null) return
  const folder = await DataFolder.open(t)
  const demo = ['--creators', '30', '--creations', '150', '--seed', '7']
  t.match(await vitrine(['seed', ...demo, '--data-dir', folder.path]), { code: 0 })
  await folder.append(new Script().write(...COMMUNITY, liked('maze', 'ann')))
  const embedded = await Serving.start(t, folder.path)
  const paths = await pathsOf(embedded)
  const expected = await answersOf(embedded, paths)
  t.equal(await embedded.end('SIGTERM'), 0)

  t.match(await vitrine(['copy', '--to', cluster.nats.url, '--data-dir', folder.path]), { code: 0 })
  const served = await cluster.serve(t, 'query,project,ask')
  const found = await answersOf(served, paths)
  for (const [path, answer] of expected) t.strictSame(found.get(path), answer, path)
  t.equal(await served.end('SIGTERM'), 0)
})

/** Every public read, and every page of the feed in every order. */
async function pathsOf(serving: Serving): Promise<string[]> {
  await serving.ready()
  const paths = ['/public/share/tags', '/public/share/community/landing', '/public/share/community/landing?locale=es']
  for (const query of ['', 'sort=recent', 'sort=popular', 'sort=remixed', 'sort=liked', 'featuredOnly=true', 'q=garden', 'tag=fun']) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path: string = `/public/share/community?limit=48&${query}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
      paths.push(path)
      const { items, next_cursor } = dataOf(CommunityFeedPage, await request(serving.api, path))
      cursor = next_cursor
      for (const { creator, slug } of query === '' ? items.slice(0, 10) : []) {
        paths.push(`/public/share/app/${creator.handle}/${slug}`)
        for (const more of ['', '/followers', '/following']) paths.push(`/public/share/user/${creator.handle}${more}`)
      }
    }
  }
  return [...new Set(paths)]
}

async function answersOf(serving: Serving, paths: readonly string[]): Promise<Map<string, unknown>> {
  await serving.ready()
  const answers = new Map<string, unknown>()
  for (const path of paths) {
    // On a starved machine MongoDB may take longer than a reader waits: a 503 says that it can be tried again.
    const response = await eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${serving.api}${path}`)
      return answer.status === 503 ? null : answer
    })
    answers.set(path, [response.status, response.headers.get('service-position'), await response.text()])
  }
  return answers
}
