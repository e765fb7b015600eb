/** The client in a real browser, on a page of another origin and in a worker, which has no page. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { openPage, startChromium } from '../servers/chromium.js'
import { listening } from '../support/listening.js'
import { runningService } from './running.js'
import { redirects, ScriptedServer, succeeds } from './scripted-server.js'

const DIST = fileURLToPath(new URL('../../', import.meta.url))

/** What a browser does with the client. Served as a module, so that nothing of Node is in reach. */
const SCRIPT = `
import { ApiError, createClient } from '/src/client/index.js'

export async function visit(hosts) {
  const vitrine = createClient({ ...hosts, wait: async () => {} })
  const titles = []
  for await (const { title } of vitrine.items('getCommunityFeed', { sort: 'recent', limit: 2 })) titles.push(title)
  const { tags, nobody } = await vitrine.batch({
    tags: { operation: 'getPopularTags' },
    nobody: { operation: 'getCreatorProfile', arguments: { handle: 'nobody' } },
  })
  const events = []
  for await (const { message_type } of vitrine.askStream('what is trending in games?')) events.push(message_type)
  const refused = await vitrine.getCommunityFeed({ limit: 0 }).catch((error) => error)
  const controller = new AbortController()
  const cancelled = vitrine.ask('why?', { signal: controller.signal }).catch((error) => error.name)
  controller.abort()
  let position = null
  const watching = createClient({ ...hosts, onResponse: (info) => (position = info.position) })
  await watching.getPopularTags()
  return {
    titles,
    tags: tags.ok,
    nobody: nobody.ok ? null : nobody.error.error,
    events: [events[0], events.at(-1)],
    refused: refused instanceof ApiError && refused.error,
    cancelled: await cancelled,
    answer: (await vitrine.askJob('how much is the smallest plan?')).answer,
    position,
  }
}
`
const WORKER = `
import { visit } from '/visit.js'
self.onmessage = async ({ data }) => self.postMessage(await visit(data).catch((error) => String(error)))
`

/** A site that is neither of the two hosts. */
async function site(t: Test): Promise<string> {
  const files: Record<string, [string, string]> = {
    '/': ['text/html', '<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">'],
    '/visit.js': ['text/javascript', SCRIPT],
    '/worker.js': ['text/javascript', WORKER],
  }
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const [type, text] = files[path] ?? ['text/javascript', readFileSync(`${DIST}${path}`, 'utf8')]
    response.writeHead(200, { 'content-type': type }).end(text)
  })
  t.teardown(() => server.close())
  return `http://127.0.0.1:${await listening(server)}`
}

await t.test('pages and workers of any site', async (t) => {
  const browser = await startChromium(t)
  if (browser === null) return
  const { apiUrl, webUrl } = await runningService(t)
  const page = await openPage(t, browser)
  await page.goto(await site(t))
  const expected = {
    titles: { length: 4 },
    tags: true,
    nobody: 'not_found',
    events: ['start', 'complete'],
    refused: 'validation_failed',
    cancelled: 'AbortError',
    answer: /20 USD/,
    position: Number,
  }
  const script = '/visit.js'
  t.match(
    await page.evaluate(async ([script, hosts]) => (await import(script)).visit(hosts), [script, { apiUrl, webUrl }] as const),
    expected,
  )
  const inWorker = await page.evaluate(
    `new Promise((resolve, reject) => {
      const worker = new Worker('/worker.js', { type: 'module' })
      worker.onmessage = ({ data }) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
      worker.postMessage(${JSON.stringify({ apiUrl, webUrl })})
    })`,
  )
  t.match(inWorker, expected, 'without a window, as on an edge')

  const elsewhere = await ScriptedServer.start(t, [succeeds])
  const server = await ScriptedServer.start(t, [redirects(elsewhere.url)])
  const refused = await page.evaluate(
    `import('/src/client/index.js').then(({ createClient }) =>
      createClient({ apiUrl: '${server.url}', webUrl: '${server.url}' }).getCommunityFeed().catch(({ name, message }) => name + ': ' + message))`,
  )
  t.match(refused, /^UnexpectedAnswerError: a redirect to another address, which is not followed/)
  t.strictSame([server.requests.length, elsewhere.seen], [1, []], 'browsers do not follow a redirect, either')
})
