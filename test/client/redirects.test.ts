/** A redirect would take headers, keys and questions to a server that the caller did not name. */
import t from 'tap'
import { type Client, createClient } from '../../src/client/index.js'
import { collect, redirects, ScriptedServer, sends, succeeds } from './scripted-server.js'

const CALLS: Record<string, (client: Client) => Promise<unknown>> = {
  read: (client) => client.getCommunityFeed(),
  items: (client) => collect(client.items('getCommunityFeed')),
  batch: (client) => client.batch({ tags: { operation: 'getPopularTags' } }),
  ask: (client) => client.ask('a private question'),
  askStream: (client) => collect(client.askStream('a private question')),
  askJob: (client) => client.askJob('a private question'),
  waitForAskJob: (client) => client.waitForAskJob('j'),
}
const headers = { 'x-api-key': 'secret' }

t.test('none is followed, wherever it leads, and its answer is no answer', async (t) => {
  const elsewhere = await ScriptedServer.start(t, [succeeds])
  for (const [name, call] of Object.entries(CALLS)) {
    for (const status of [301, 302, 303, 307, 308]) {
      for (const to of [elsewhere.url, '/the/same/origin', '//evil.invalid', 'file:///etc/passwd', '']) {
        const server = await ScriptedServer.start(t, [redirects(to, status)], { headers })
        const message = new RegExp(
          `^a redirect to ${to}, which is not followed: give apiUrl and webUrl the addresses that answer themselves$`,
        )
        await t.rejects(call(server.client), { name: 'UnexpectedAnswerError', status, message }, `${name}, ${status} to ${to}`)
        t.equal(server.requests.length, 1, 'and it is not asked for again')
      }
    }
  }
  t.strictSame(elsewhere.seen, [], 'neither key nor question went there')
})

t.test('not even that of the status, which is looked at after repeated failures', async (t) => {
  const elsewhere = await ScriptedServer.start(t, [succeeds])
  const web = await ScriptedServer.start(t, [redirects(`${elsewhere.url}/status`, 307)])
  const api = await ScriptedServer.start(t, [sends({}, 503)])
  // Every path of this host but "/status" is scripted.
  const client = createClient({ apiUrl: api.url, webUrl: `${web.url}/under`, headers, wait: async () => {} })
  await t.rejects(client.getPopularTags(), { name: 'ApiError', status: 503, service: null })
  t.equal(web.seen.length, 1)
  t.strictSame(elsewhere.seen, [])
})

t.test('a `fetch` of the caller that follows all the same: its answer is refused', async (t) => {
  const elsewhere = await ScriptedServer.start(t, [succeeds])
  const server = await ScriptedServer.start(t, [redirects(elsewhere.url)], {
    fetch: (url, init) => fetch(url, { ...init, redirect: 'follow' }),
  })
  await t.rejects(server.client.getCommunityFeed(), { name: 'UnexpectedAnswerError', message: /redirect to another address/ })
})
