/** Asking and answering in separate processes, which start and stop. */
import t from 'tap'
import { AsyncAskJob, AsyncAskJobStatus } from '../../src/ask/response.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { complaints, Serving } from '../harness/program.js'
import { eventually } from '../ports/subject.js'

t.test('jobs and their keys outlive the process that accepted them', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  const hosts = ['--roles', 'query,project', '--rate-limit-agent', 'off', '--web-url', 'https://web.example']
  const ask = async ({ web }: Serving, query: string) => {
    const response = await fetch(`http://127.0.0.1:${web}/ask/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': '"one"' },
      body: JSON.stringify({ query }),
    })
    return { status: response.status, replayed: response.headers.get('idempotency-replayed'), body: await response.text() }
  }
  const look = async ({ web }: Serving, id: string) =>
    AsyncAskJobStatus.parse(await (await fetch(`http://127.0.0.1:${web}/ask/jobs/${id}`)).json())

  const first = await Serving.start(t, folder.path, hosts)
  await first.ready()
  const asked = await ask(first, 'what is this?')
  t.strictSame([asked.status, asked.replayed], [202, null])
  const { job_id, status_url } = AsyncAskJob.parse(JSON.parse(asked.body))
  t.equal(status_url, `https://web.example/ask/jobs/${job_id}`)
  t.equal((await look(first, job_id)).status, 'queued', 'there is no worker to answer')
  t.equal(await first.end('SIGKILL'), 'SIGKILL')

  const second = await Serving.start(t, folder.path, hosts)
  await second.ready()
  t.strictSame(await ask(second, 'what is this?'), { status: 202, replayed: 'true', body: asked.body }, 'the key is still known')
  t.equal((await ask(second, 'something else')).status, 422)

  const workers = [await Serving.start(t, folder.path, ['--roles', 'ask']), await Serving.start(t, folder.path, ['--roles', 'ask'])]
  const done = await eventually(async () => {
    const job = await look(second, job_id)
    return job.status === 'completed' ? job : null
  })
  t.ok(done.result)
  // One that has not started yet would be ended by the signal.
  for (const { admin } of workers)
    await eventually(() =>
      fetch(`http://127.0.0.1:${admin}/health/live`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  for (const worker of workers) t.equal(await worker.end('SIGTERM'), 0)
  t.equal(await second.end('SIGTERM'), 0)
  t.strictSame(
    [second, ...workers].map(({ stderr }) => complaints(stderr)),
    ['', '', ''],
    'without a complaint',
  )
})
