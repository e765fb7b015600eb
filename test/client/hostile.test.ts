/** Answers that the service never sends: of proxies, of strangers, of broken programs. */
import t, { type Test } from 'tap'
import { type Client, createClient } from '../../src/client/index.js'
import { type Answer, collect, ScriptedServer, sends, sendsText } from './scripted-server.js'

const STREAM = 'text/event-stream'

async function unexpected(
  t: Test,
  answer: Answer,
  call: (client: Client) => Promise<unknown>,
  message: RegExp,
  options = {},
): Promise<void> {
  const server = await ScriptedServer.start(t, [answer], options)
  await t.rejects(call(server.client), { name: 'UnexpectedAnswerError', status: 200, message }, String(message))
  t.equal(server.requests.length, 1, 'and it is not asked for again')
}

t.test('a success that is no JSON, or not of the service', async (t) => {
  const feed = (client: Client) => client.getCommunityFeed()
  await unexpected(t, sendsText('<html>Sign in to this Wi-Fi', 'text/html'), feed, /not JSON but text\/html/)
  await unexpected(t, sendsText('{"code":0,"data":{}}', 'text/html'), feed, /not JSON but text\/html/)
  await unexpected(t, sendsText('', 'application/json'), feed, /not JSON/)
  await unexpected(t, sendsText('{"code":0,"data":', 'application/json'), feed, /not JSON/)
  for (const body of [null, [], 'code', 7, {}, { code: 0 }, { code: '0', data: {} }, { data: {} }, { code: 40_400, data: {} }])
    await unexpected(t, sends(body), feed, /not in the success envelope/)
  await unexpected(t, sends({ answer: 7 }), (client) => client.ask('why?'), /has no text/)
  await unexpected(t, sends({ job_id: 7 }), (client) => client.createAskJob('why?'), /not an ask job/)
  for (const job_id of ['', '.', '..'])
    await unexpected(t, sends({ job_id, status: 'queued' }), (client) => client.askJob('why?'), /not an ask job/)
  await unexpected(t, sends({ job_id: 'j', status: 'completed' }), (client) => client.waitForAskJob('j'), /has no result/)
})

t.test('a status that is none', async (t) => {
  const { url } = await ScriptedServer.start(t, [sends({})])
  const client = createClient({ apiUrl: url, webUrl: `${url}/behind/a/path/` })
  await t.rejects(client.getStatus(), { name: 'UnexpectedAnswerError', message: /not a status document/ })
})

t.test('pages that are none', async (t) => {
  const items = (client: Client) => collect(client.items('getCommunityFeed'))
  for (const data of [null, [], {}, { items: {}, next_cursor: null }, { items: [] }, { items: [], next_cursor: 7 }])
    await unexpected(t, sends({ code: 0, data }), items, /not a page/)
})

t.test('a batch that leaves something out, or says neither yes nor no', async (t) => {
  const batch = (client: Client) => client.batch({ tags: { operation: 'getPopularTags' } })
  for (const body of [{}, { responses: {} }, { responses: [null, 7] }, { responses: [{ id: 'other', status: 200, code: 0, data: {} }] }])
    await unexpected(t, sends(body), batch, /no answer for "tags"/)
  for (const item of [{}, { code: 0 }, { code: 'x' }, { status: 200, code: 0 }])
    await unexpected(t, sends({ responses: [{ id: 'tags', ...item }] }), batch, /neither a success nor an error/)
})

t.test('streams', async (t) => {
  const stream = (client: Client) => collect(client.askStream('why?'))
  await unexpected(t, sends({ answer: 'Because.' }), stream, /not an event stream but application\/json/)
  await unexpected(t, sendsText('data: <html>\n\n', STREAM), stream, /not a JSON object/)
  await unexpected(t, sendsText('data: [1]\n\n', STREAM), stream, /not a JSON object/)
  const early = await ScriptedServer.start(t, [sendsText('data: {"message_type":"start"}\n\n', STREAM)])
  await t.rejects(stream(early.client), { name: 'ConnectionError', message: /before the event "complete"/ })
  const failed =
    'data: {"message_type":"complete","code":50300,"message":"Not ready.","error":"upstream_unavailable","request_id":"r2"}\n\n'
  await t.rejects(stream((await ScriptedServer.start(t, [sendsText(failed, STREAM)])).client), {
    name: 'ApiError',
    status: 503,
    error: 'upstream_unavailable',
    requestId: 'r2',
  })
  const more =
    '\uFEFFdata: {"message_type":"start"}\n\nevent: news\ndata: {"message_type":"news"}\n\ndata: {"message_type":"complete","answer":"x"}\n\ndata: {"message_type":"result"}\n\n'
  const newer = await ScriptedServer.start(t, [sendsText(more, STREAM)])
  const expected = [{ message_type: 'start' }, { message_type: 'complete', answer: 'x' }]
  t.strictSame(
    await stream(newer.client),
    expected,
    'a byte order mark and later versions’ events are skipped, and nothing follows the last',
  )
})

t.test('error envelopes of a later version, or with odd fields', async (t) => {
  const error = { code: 42_207, message: 'No.', error: 'brand_new', details: [7, { path: 'limit', message: 'too big' }, { path: 1 }] }
  const { client } = await ScriptedServer.start(t, [sends(error, 422)])
  await t.rejects(client.getCommunityFeed(), {
    name: 'ApiError',
    status: 422,
    code: 42_207,
    error: 'validation_failed',
    requestId: null,
    details: [{ path: 'limit', message: 'too big' }],
  })
})

t.test('arguments that would lead to another address are refused before anything is sent', async (t) => {
  const server = await ScriptedServer.start(t, [sends({ code: 0, data: {} })])
  for (const handle of ['', '.', '..']) await t.rejects(server.client.getCreatorProfile({ handle }), TypeError)
  t.equal(server.requests.length, 0)
  for (const handle of ['a/b', '../x', '%2e%2e', 'a?b=c', 'ä#', '\ud800']) await server.client.getCreatorFollowers({ handle, limit: 3 })
  t.strictSame(
    server.requests.map(({ url }) => url.replace('/public/share/user/', '')),
    ['a%2Fb', '..%2Fx', '%252e%252e', 'a%3Fb%3Dc', '%C3%A4%23', '%EF%BF%BD'].map((segment) => `${segment}/followers?limit=3`),
  )
})

t.test('hosts have to be addresses', async (t) => {
  const url = 'https://example.com'
  for (const wrong of ['', 'example.com', '/api', 'ftp://example.com', 'https://me:secret@example.com', 'https://example.com/?a=b']) {
    t.throws(() => createClient({ apiUrl: wrong, webUrl: url }), { name: 'TypeError', message: /^apiUrl must/ }, wrong)
    t.throws(() => createClient({ apiUrl: url, webUrl: wrong }), { name: 'TypeError', message: /^webUrl must/ }, wrong)
  }
  for (const id of ['ask', 'batch', 'then'])
    t.throws(() => createClient({ apiUrl: url, webUrl: url, operations: { [id]: { name: id, path: '/x' } } }), {
      message: /cannot be called/,
    })
})

t.test('numbers that are none', async (t) => {
  const url = 'https://example.com'
  for (const name of ['timeoutMs', 'maxWaitMs', 'maxAttempts', 'maxBytes', 'maxPages', 'maxJobMs'])
    for (const value of [0, -1, Number.NaN])
      t.throws(() => createClient({ apiUrl: url, webUrl: url, [name]: value }), {
        name: 'RangeError',
        message: `${name} must be a number above 0, not ${value}`,
      })
  await t.rejects(createClient({ apiUrl: url, webUrl: url }).getPopularTags({}, { timeoutMs: Number.NaN }), RangeError)
})

t.test('batches of none and of too many', async (t) => {
  const server = await ScriptedServer.start(t, [sends({})])
  t.strictSame(await server.client.batch({}), {})
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [n, { operation: 'getPopularTags' } as const]))
  await t.rejects(server.client.batch(many), { name: 'RangeError', message: /at most 10 reads, not 11/ })
  t.equal(server.requests.length, 0)
})
