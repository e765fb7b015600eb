/** Each kind of request has a limit of its own, and every route belongs to one. */
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { AdmissionController, type Ticket } from '../../../src/http/admission/admission-controller.js'
import { limitOfKind, unitsOf, WORK_KINDS, workKindOf } from '../../../src/http/admission/work-kinds.js'
import { servePublicReads } from '../../../src/http/api/public-reads.js'
import { serveMcp } from '../../../src/http/mcp-routes.js'
import { RouteTable } from '../../../src/http/route-table.js'
import { serveAsk } from '../../../src/http/web/ask.js'
import { serveAskJobs } from '../../../src/http/web/ask-jobs.js'
import { serveBatch } from '../../../src/http/web/batch.js'
import { Assets, servePictures } from '../../../src/http/web/pages/assets.js'
import { PageRenderer } from '../../../src/http/web/pages/page-renderer.js'
import { servePages } from '../../../src/http/web/pages/routes.js'
import { COMMUNITY } from '../../harness/community.js'
import { Service } from '../../harness/service.js'
import { request } from '../../harness/sockets.js'
import { publicReads } from '../../support/built-in-models.js'
import { admit } from './admit.js'

const SITE = { baseUrl: 'https://api.example', webUrl: 'https://www.example', publicDomain: 'vitrine.example' }

const turn = () => new Promise((resolve) => setImmediate(resolve))

await t.test('every kind has a limit, and holds up no other', async (t) => {
  for (const kind of WORK_KINDS) {
    const controller = controllerOf(t)
    const tickets: Ticket[] = []
    let callers = 0
    const admitAnother = () => admit(controller, 'web', kind, `caller ${callers++}`)
    for (const { limit } = limitOfKind(kind); tickets.length < limit; await turn()) tickets.push(await admitAnother())
    const requests = Array.from({ length: 400 / unitsOf(kind) }, async () => (await admitAnother()).close())
    for (const other of [...WORK_KINDS, null].filter((each) => each !== kind)) (await admit(controller, 'web', other)).close()
    t.pass(`${kind}: does not block the others`)
    await t.rejects(Promise.all(requests), { name: 'OverloadedError' }, 'has its own limit')
    for (const other of [...WORK_KINDS, null].filter((each) => each !== kind)) {
      await Promise.all(Array.from({ length: 8 }, async () => (await admit(controller, 'web', other, 'one caller')).close()))
    }
    t.pass('and its late requests are no reason to shed others, even many of one caller')
    for (const each of tickets) each.close()
    await Promise.allSettled(requests)
  }
})

function controllerOf(t: Test): AdmissionController {
  const controller = new AdmissionController()
  // Stands for the connections of a real host: it keeps the process alive while requests are queued.
  const connection = setInterval(() => {}, 1000)
  t.teardown(() => {
    controller.stop()
    clearInterval(connection)
  })
  return controller
}

await t.test('pictures of a few readers wait for other work, and are not shed', async (t) => {
  const controller = controllerOf(t)
  const { limit } = limitOfKind('picture')
  const running = await Promise.all(Array.from({ length: limit }, () => admit(controller, 'web', 'picture', 'one')))
  let refused = 0
  const show = async (reader: number) => {
    try {
      ;(await admit(controller, 'web', 'picture', `reader ${reader}`)).close()
    } catch {
      refused += 1
    }
  }
  const shown = Array.from({ length: 100 }, (_, n) => show(n % 4))
  // Longer than anything else may wait.
  for (const until = performance.now() + 400; performance.now() < until; ) await turn()
  for (const ticket of running) ticket.close()
  await Promise.all(shown)
  t.equal(refused, 0)
})

await t.test('the pictures of a page do not make its reader a heavy caller', async (t) => {
  const controller = controllerOf(t)
  for (let n = 0; n < 60; n += 1) (await admit(controller, 'web', 'picture', 'browser')).close()
  for (let n = 0; n < 5; n += 1) (await admit(controller, 'web', 'tool', 'heavy')).close()
  await turn()
  const come: string[] = []
  ;(await admit(controller, 'web', null)).close()
  // The turn has no time left, so what comes now is queued.
  for (const until = performance.now() + 20; performance.now() < until; );
  const visits = [
    ...Array.from({ length: 3 }, () => ['tool', 'heavy'] as const),
    ...Array.from({ length: 3 }, () => ['picture', 'browser'] as const),
  ].map(async ([kind, caller]) => {
    const ticket = await admit(controller, 'web', kind, caller)
    come.push(caller)
    ticket.close()
  })
  await Promise.all(visits)
  t.equal(come[0], 'browser')
})

await t.test('the kind of a request is known from its head', async (t) => {
  const app = Fastify()
  const routes = new RouteTable(app)
  // They only declare their routes here: nothing is asked of what they serve.
  const nothing = {} as never
  servePublicReads(app, publicReads, nothing)
  const assets = new Assets({ 'tools.json': '' })
  servePictures(app, nothing)
  servePages(app, new PageRenderer(SITE, assets, nothing), assets, SITE, publicReads)
  serveAsk(app, nothing)
  serveAskJobs(app, nothing, '')
  serveBatch(app, publicReads, nothing, '')
  serveMcp(
    app,
    ['/mcp', '/api/mcp', '/webmcp'],
    { service: { tools: [], resources: { list: [], templates: [] } } } as never,
    SITE.webUrl,
    nothing,
  )
  await app.ready()
  const kindOf = (method: string, url: string, position?: string) =>
    workKindOf(routes.find(method, url), { headers: position === undefined ? {} : { 'service-min-position': position } }, 7)
  const kinds: [method: string, url: string, kind: string | null][] = [
    ['GET', '/public/share/community?limit=3', 'read'],
    ['HEAD', '/public/share/user/ben', 'read'],
    ...['/', '/@ben', '/@ben/maze', '/@ben/', '/docs', '/changelog'].map((url): [string, string, string] => ['GET', url, 'page']),
    ['HEAD', '/?q=a', 'page'],
    ['GET', '/covers/a.svg', 'picture'],
    ['GET', '/assets/vitrine.css', 'picture'],
    ['POST', '/batch', 'batch'],
    ...['/ask', '/api/ask', '/nlweb/ask', '/de/ask', '/%61sk'].map((url): [string, string, string] => ['POST', url, 'question']),
    ...['/mcp', '/api/mcp', '/webmcp'].map((url): [string, string, string] => ['POST', url, 'tool']),
    ['POST', '/ask/jobs', 'job'],
    ['GET', '/ask/jobs/1', 'job'],
    ['POST', '/%', null],
    ['DELETE', '/batch', null],
  ]
  for (const [method, url, kind] of kinds) {
    t.equal(kindOf(method, url), kind, `${method} ${url}`)
    for (const nothingToWaitFor of ['0', '00', '7', 'x', ''])
      t.equal(kindOf(method, url, nothingToWaitFor), kind, `${method} ${url} from "${nothingToWaitFor}"`)
    t.equal(kindOf(method, url, '8'), kind === 'read' || kind === 'batch' ? 'wait' : kind, `${method} ${url} from 8`)
  }
})

await t.test('requests that wait for a position are a bounded number, of each caller and in all', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, waitMs: 60_000, admission: {} })
  const api = await service.listen(service.api)
  const { limit, maxPerCaller = 0 } = limitOfKind('wait')
  const path = '/public/share/community'
  const wait = (localAddress: string) =>
    request(api, path, { localAddress, headers: { 'service-min-position': String(COMMUNITY.length + 1) } })
  const ofOne = Array.from({ length: maxPerCaller + 1 }, () => wait('127.0.1.1'))
  t.equal((await Promise.race(ofOne)).statusCode, 503, 'one too many of a caller is shed')
  const ofAll = Array.from({ length: limit + 40 }, (_, i) => wait(`127.0.2.${1 + (i % 120)}`))
  t.equal((await Promise.race(ofAll)).statusCode, 503, 'and one too many of all')
  t.equal((await request(api, path, { headers: { 'service-min-position': '0' } })).statusCode, 200, 'others are answered')
  await service.tell(COMMUNITY[0] as (typeof COMMUNITY)[number])
  const answered = async (requests: typeof ofOne) => (await Promise.all(requests)).filter(({ statusCode }) => statusCode === 200).length
  t.equal(await answered(ofOne), maxPerCaller)
  t.ok((await answered(ofAll)) >= limit - maxPerCaller)
})

await t.test('pages wait for each other, and reads do not wait for them', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, admission: {} })
  const { admission } = service
  if (admission === undefined) throw new Error('it admits every request')
  const web = await service.listen(service.web)
  const { limit } = limitOfKind('page')
  const rendering = await Promise.all(Array.from({ length: limit }, () => admit(admission, 'web', 'page')))
  let hasPage = false
  const page = request(web, '/', { headers: { accept: 'text/html' } }).finally(() => {
    hasPage = true
  })
  for (let n = 0; n < 20; n++) t.equal((await request(web, `/public/share/community?q=${n}`)).statusCode, 200)
  t.notOk(hasPage, 'the page waits')
  for (const ticket of rendering) ticket.close()
  t.equal((await page).statusCode, 200, 'until others are done')
})
