import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { vitrine } from '../serving/command.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { freePorts, Serving, takenPort } from '../serving/program.js'
import { request } from '../serving/sockets.js'
import { Script } from '../spec/script.js'

await t.test('serve', async (t) => {
  const folder = await DataFolder.open(t)
  await folder.append(new Script().write(...COMMUNITY))

  await t.test('prints what to open, and all of it opens', async (t) => {
    const serving = await Serving.start(t, folder.path)
    await serving.ready()
    const urls: readonly string[] = serving.stdout.match(/http:\S+/g) ?? []
    t.ok(urls.length >= 5, serving.stdout)
    for (const url of urls) {
      const { port, pathname, search } = new URL(url)
      t.equal((await request(Number(port), pathname + search)).statusCode, 200, url)
    }
    t.strictSame(new Set(urls.map((url) => Number(new URL(url).port))), new Set([serving.api, serving.web, serving.admin]))
    for (const page of [`${serving.web}/llms.txt`, `${serving.admin}/`]) t.ok(urls.includes(`http://127.0.0.1:${page}`), page)
    t.equal(await serving.end('SIGTERM'), 0, 'SIGTERM ends it in peace')
    t.equal(serving.stderr, '', 'and there is nothing to complain about')
  })

  await t.test('prints JSON to programs, and ends on SIGINT as well', async (t) => {
    const serving = await Serving.start(t, folder.path, ['--json'])
    await serving.ready()
    t.strictSame(JSON.parse(serving.stdout), {
      api: `http://127.0.0.1:${serving.api}`,
      web: `http://127.0.0.1:${serving.web}`,
      admin: `http://127.0.0.1:${serving.admin}`,
    })
    t.equal(await serving.end('SIGINT'), 0)
  })

  await t.test('names an admin host that listens everywhere as it can be opened', async (t) => {
    const serving = await Serving.start(t, folder.path, ['--json', '--admin-host', '0.0.0.0'])
    await serving.ready()
    t.equal(JSON.parse(serving.stdout).admin, `http://localhost:${serving.admin}`)
    t.equal(await serving.end('SIGTERM'), 0)
  })

  await t.test('ends while connections are open', async (t) => {
    const serving = await Serving.start(t, folder.path)
    await serving.ready()
    const request = 'GET /public/share/tags HTTP/1.1\r\nHost: x\r\n\r\n'
    for (const sent of [request, `${request}GET /half/a/request HTTP/1.1\r\n`]) {
      const socket = connect(serving.api, '127.0.0.1')
      socket.on('error', () => {})
      t.teardown(() => socket.destroy())
      socket.write(sent)
      await once(socket, 'data')
    }
    const began = Date.now()
    t.equal(await serving.end('SIGTERM'), 0)
    t.ok(Date.now() - began < 15_000, 'and does not wait for those that never finish')
  })

  await t.test('a port that is taken is one line and exit code 2', async (t) => {
    const taken = String(await takenPort(t))
    const [one, two] = (await freePorts(2)).map(String)
    for (const ports of [
      ['--api-port', taken, '--web-port', String(one), '--admin-port', String(two)],
      ['--api-port', String(one), '--web-port', String(two), '--admin-port', taken],
    ]) {
      const { code, stdout, stderr } = await vitrine(['serve', '--data-dir', folder.path, ...ports])
      t.strictSame([code, stdout], [2, ''])
      t.match(stderr, new RegExp(`^vitrine serve: port ${taken} is taken[^\n]*\n$`))
    }
  })

  await t.test('a folder that cannot be written is one line and exit code 2', async (t) => {
    const [api, web, admin] = (await freePorts(3)).map(String)
    const ports = ['--api-port', String(api), '--web-port', String(web), '--admin-port', String(admin)]
    const { code, stderr } = await vitrine(['serve', '--data-dir', '/dev/null/data', ...ports], { env: { LOG_LEVEL: 'silent' } })
    t.equal(code, 2)
    t.match(stderr, /^vitrine serve: [^\n]*\/dev\/null\/data[^\n]*\n$/)
  })

  await t.test('a process that only projects opens no port to readers', async (t) => {
    const projecting = await DataFolder.open(t)
    await projecting.append(new Script().write(...COMMUNITY))
    const serving = await Serving.start(t, projecting.path, ['--roles', 'project'])
    await projecting.caughtUp()
    await t.rejects(request(serving.api, '/public/share/tags'), { code: 'ECONNREFUSED' })
    t.equal(await serving.end('SIGTERM'), 0)
  })
})
