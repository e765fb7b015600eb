/** The whole service while EventStoreDB takes connections and never answers. */
import t from 'tap'
import { AsyncAskJob, AsyncAskJobStatus } from '../../src/ask/response.js'
import { ServiceStatusDocument } from '../../src/observe/service-status.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { Serving, spawnVitrine } from '../harness/program.js'
import { eventually } from '../ports/subject.js'
import { EventStoreStandIn } from '../servers/eventstore-stand-in.js'
import { TcpProxy } from '../servers/tcp-proxy.js'

const UNKNOWN = '3f0f0b1c-5a43-4f0e-9d7e-0a1b2c3d4e5f'

t.test('a silent EventStoreDB: 503 in time, said by the status, and everything else goes on', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const standIn = await EventStoreStandIn.start()
  t.teardown(() => standIn.stop())
  const proxy = await TcpProxy.start(t, standIn.port)
  const env = { EVENTSTORE_URL: `esdb://127.0.0.1:${proxy.port}?tls=false` }
  proxy.stall()
  const serving = await Serving.start(t, folder.path, ['--rate-limit-agent', 'off'], env)
  await serving.ready()
  const get = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${serving.web}${path}`, init)
  const ask = () =>
    get('/ask/jobs', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: 'what is this?' }) })
  const status = async () => {
    const { components } = ServiceStatusDocument.parse(await (await get('/status')).json())
    return components.find(({ name }) => name === 'ask_jobs')?.status
  }
  const isCompleted = async (id: string) => AsyncAskJobStatus.parse(await (await get(`/ask/jobs/${id}`)).json()).status === 'completed'

  for (const moment of ['from the start', 'after it had answered']) {
    const asked = [ask(), get(`/ask/jobs/${UNKNOWN}`)].map(async (answer) => {
      const { status, headers } = await answer
      return [status, headers.get('retry-after')]
    })
    t.strictSame(await Promise.all(asked), Array(2).fill([503, '5']), moment)
    t.equal(await status(), 'unavailable')
    t.equal((await fetch(`http://127.0.0.1:${serving.admin}/health/ready`)).status, 200, 'readers are served')
    const doctor = await spawnVitrine(['doctor', '--data-dir', folder.path], { env })
    t.match(doctor.stdout, /EventStoreDB: no answer within 5000 ms: ask jobs are answered with 503/)

    proxy.heal()
    const accepted = await eventually(async () => {
      const answer = await ask()
      return answer.status === 202 ? AsyncAskJob.parse(await answer.json()) : null
    })
    await eventually(() => isCompleted(accepted.job_id))
    await eventually(async () => (await status()) === 'ok')
    proxy.stall()
  }
  t.equal(await serving.end('SIGTERM'), 0, 'it stops although the store is silent')
  t.equal(serving.stderr.split('\n').filter((line) => /uncaught|unhandled/i.test(line)).length, 0)
})
