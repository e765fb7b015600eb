/** Every role as its deployment starts it: from the image's files, with the variables of the manifests, on real servers. */
import { join } from 'node:path'
import t from 'tap'
import { Serving, spawnVitrine } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { stagesOf } from '../image/dockerfile.js'
import { layOut } from '../image/layout.js'
import { eventually } from '../ports/subject.js'
import { startAllServers } from '../servers/all-servers.js'
import { deploymentsIn, environmentOf, type PROBES } from './deployments.js'
import { build } from './manifests.js'

const base = build('ops/kubernetes/base')
const servers = await startAllServers(t)

if (servers !== null) {
  const image = await layOut(stagesOf('Dockerfile'))
  /** Not where they are in a cluster. */
  const here = { ...servers, HOST: '127.0.0.1', ADMIN_HOST: '127.0.0.1' }
  const unused = join(image.folder, 'data')
  const deployments = await Promise.all(
    deploymentsIn(base).map(async ({ name, container }) => {
      const environment: Record<string, string> = { ...image.environment, ...environmentOf(base, container), ...here }
      return { name, container, environment, serving: await Serving.start(t, unused, [], environment, image.main) }
    }),
  )
  const query = deployments.find(({ name }) => name === 'vitrine-query')
  if (query === undefined) throw new Error('somebody answers readers')

  await t.test('the probes of every role are answered, also before there is any model to read', async (t) => {
    const probe = ({ container, serving }: (typeof deployments)[number], which: (typeof PROBES)[number]) =>
      // The node asks by the address of the pod, and without a token.
      request(serving.admin, container[which].httpGet.path).then(
        ({ statusCode }) => statusCode,
        () => 0,
      )
    for (const deployment of deployments) {
      await eventually(async () => (await probe(deployment, 'startupProbe')) === 200)
      t.equal(await probe(deployment, 'livenessProbe'), 200, deployment.name)
    }
    const env = { ...query.environment, LOG_LEVEL: 'silent' }
    const seeded = await spawnVitrine(['seed', '--creators', '5', '--creations', '20'], { env, main: image.main })
    t.match(seeded, { code: 0, stdout: /events written/ })
    for (const deployment of deployments) await eventually(async () => (await probe(deployment, 'readinessProbe')) === 200)
    for (const { name, serving } of deployments) t.equal((await request(serving.admin, '/metrics')).statusCode, 200, name)
  })

  await t.test('readers are served as the ingress passes them on', async (t) => {
    const { api, web } = query.serving
    const { PUBLIC_DOMAIN = '' } = query.environment
    const forwarded = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' }
    const feed = await eventually(async () => {
      const { statusCode, body } = await request(api, '/public/share/community?limit=1', { headers: forwarded })
      return statusCode === 200 && JSON.parse(body).data.total > 0 && JSON.parse(body)
    })
    const [{ url }] = feed.data.items
    t.match(url, `.${PUBLIC_DOMAIN}/`)
    const { host, pathname } = new URL(url)
    const page = await request(web, pathname, { headers: { ...forwarded, host } })
    t.equal(page.statusCode, 200, `${url} is a page`)
    t.ok(page.headers['strict-transport-security'])
  })

  await t.test('each stops when it is told to', async (t) => {
    for (const { name, serving } of deployments) t.equal(await serving.end('SIGTERM'), 0, name)
  })
}
