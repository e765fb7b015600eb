/** The example folder as somebody runs it: a serving process with two workers, and every command beside it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { DataFolder } from '../harness/data-folder.js'
import { Serving, spawnVitrine } from '../harness/program.js'
import { eventually } from '../ports/subject.js'

const env = { MODELS: './examples/shelves' }
const TITLE = 'Quinces and plums'

const envelope = (type: string, subject: string, sequence: number, data: object): string =>
  JSON.stringify({
    ...{ specversion: '1.0', id: `${subject}-${sequence}`, source: '/test', type, subject },
    ...{ time: '2026-03-01T00:00:00Z', sequence, data },
  })

const EVENTS = [
  envelope('creator.registered.v1', 'creator/u_9', 1, { creatorId: 'u_9', handle: 'nine', displayName: 'Nine' }),
  envelope('shelf.opened.v1', 'shelf/s_9', 1, { shelfId: 's_9', creatorId: 'u_9', title: TITLE }),
].join('\n')

t.test('custom models are served, kept and erased like ours', async (t) => {
  const folder = await DataFolder.open(t)
  const run = (args: string[], input = '', models: Record<string, string> = env) =>
    spawnVitrine([...args, '--data-dir', folder.path], { env: models, input })
  const done = async (args: string[], input?: string) => {
    const { code, stdout, stderr } = await run(args, input)
    t.equal(code, 0, `${args.join(' ')}: ${stderr}`)
    return stdout
  }

  await t.test('published to', async (t) => {
    t.match(
      (await run(['publish', '-', '--dry-run'], EVENTS.replaceAll('"title"', '"name"'))).stderr,
      /line 2: data: title: expected string, received undefined/,
    )
    t.match((await run(['publish', '-', '--dry-run'], EVENTS.replaceAll('opened', 'openned'))).stderr, /did you mean "?shelf.opened.v1/i)
    t.match(await done(['publish', '-'], EVENTS), /2 events published/)
    t.match(await done(['asyncapi']), '"shelf.opened.v1"')
  })

  const serving = await Serving.start(t, folder.path, ['--workers', '2'], env)
  await serving.ready()
  const api = `http://127.0.0.1:${serving.api}`
  const post = async (url: string, body: object, more: Record<string, string> = {}) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more }
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const batch = { requests: [{ id: 'a', operation: 'x_shelves_get_shelf', arguments: { shelfId: 's_9' } }] }
  const postBatch = (key: string) => post(`http://127.0.0.1:${serving.web}/batch`, batch, { 'idempotency-key': key })
  const shelf = () => fetch(`${api}/public/share/x/shelves/s_9`)

  await t.test('over REST, batch, MCP and OpenAPI', async (t) => {
    const answer = await shelf()
    t.strictSame(await answer.json(), { code: 0, data: { title: TITLE } })
    t.match(Object.fromEntries(answer.headers), { 'service-position': '2', etag: String })
    const etag = answer.headers.get('etag') ?? ''
    t.equal((await fetch(answer.url, { headers: { 'if-none-match': etag } })).status, 304, 'cached')
    t.equal((await fetch(`${api}/public/share/x/shelves/s_unknown`)).status, 404)
    t.match(await postBatch('kept'), { responses: [{ status: 200, data: { title: TITLE } }] })
    const call = { name: 'x_shelves_get_shelf', arguments: { shelfId: 's_9' } }
    t.match(await post(`${api}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }), {
      result: { structuredContent: { title: TITLE } },
    })
    const document = await (await fetch(`http://127.0.0.1:${serving.web}/openapi.json`)).json()
    t.match(document, {
      paths: { '/public/share/x/shelves/{shelfId}': { get: { operationId: 'xShelvesGetShelf' } } },
      components: { schemas: { XShelvesGetShelfResponse: {} } },
    })
  })

  await t.test('rebuilt, verified, explained and exported', async (t) => {
    t.match(await done(['rebuild', 'shelves']), /generation 2 is live/)
    t.match(await done(['verify', 'all']), /shelves.*none differs/)
    t.match(await done(['explain', 'shelf/s_9']), TITLE)
    const out = join(folder.path, 'shelves.csv')
    await done(['replay', 'shelves', '--out', out])
    t.match(await readFile(out, 'utf8'), TITLE)
  })

  await t.test('refused with another set', async (t) => {
    for (const args of [['status'], ['publish', '-'], ['redact', 'creator/u_9'], ['serve']]) {
      const { code, stderr } = await run(args, '', {})
      t.equal(code, 2)
      t.match(stderr, 'this installation works with other models (missing here: shelves, shelf.opened.v1, x_shelves_get_shelf)')
    }
    t.match((await run(['models', 'accept'], '', {})).stderr, 'a process still folds "shelves"')
  })

  await t.test('erased', async (t) => {
    await done(['publish', '-'], envelope('creator.removed.v1', 'creator/u_9', 2, { creatorId: 'u_9' }))
    await eventually(async () => (await shelf()).status === 404)
    await eventually(async () => !JSON.stringify(await postBatch('kept')).includes(TITLE))
    t.pass('a kept reply is gone, too')
    await eventually(async () => (await run(['redact', 'creator/u_9'])).code === 0)
    t.notMatch(await readFile(join(folder.path, 'log', 'events.db'), 'utf8'), TITLE)
    t.match(await done(['verify', 'shelves']), /none differs/)
    t.match(await done(['verify', 'integrity']), /none differs/)
  })

  await t.test('dropped with their generations', async (t) => {
    t.equal(await serving.end('SIGTERM'), 0)
    const accepted = await run(['models', 'accept'], '', {})
    t.match(accepted.stdout, 'Dropped with all their generations: shelves.')
    t.match((await run(['verify', 'integrity'], '', {})).stdout, /none differs/, 'envelopes do not depend on the types')
    t.match((await run(['status'])).stderr, 'this installation works with other models (new: shelves, shelf.opened.v1)')
  })
})

t.test('the demo data hold events of custom models', async (t) => {
  const folder = await DataFolder.open(t)
  const flags = ['--data-dir', folder.path, '--creators', '3', '--creations', '3']
  t.equal((await spawnVitrine(['seed', ...flags], { env })).code, 0)
  const { stdout } = await spawnVitrine(['replay', 'shelves', '--data-dir', folder.path], { env })
  t.match(stdout, 'For rainy days')
})
