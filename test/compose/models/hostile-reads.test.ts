/** What own reads may do to a process, on a started service. */
import t from 'tap'
import { eventually } from '../../ports/subject.js'
import { HostileService } from './hostile-service.js'
import { throwsWhereNothingAwaits } from './stray-faults.js'

const service = await HostileService.start(t)

t.test('what an own read throws where nothing awaits it ends no process', async (t) => {
  await throwsWhereNothingAwaits(t, service)
  t.ok(service.serving.isRunning)
})

t.test('an answer of more than 1 MB is a failure that names the read', async (t) => {
  t.equal((await service.own('large', { bytes: 1_000_000 })).statusCode, 200)
  const kept = async () => Number(/^vitrine_cache_answers (\d+)$/m.exec(await service.metrics())?.[1])
  const before = await kept()
  const message = 'The answer of x_gardens_large is longer than 1 MB.'
  for (const input of [
    { bytes: 60_000_000, of: 'a' },
    { bytes: 1_060_000, of: 'many' },
    { bytes: 200_000, of: 'nul' },
    { bytes: 400_000, of: '€' },
  ]) {
    const { statusCode, body } = await service.own('large', input)
    t.match({ statusCode, ...JSON.parse(body) }, { statusCode: 500, error: 'internal_error', message })
    t.match(await service.batch('x_gardens_large', input), { status: 500, message })
    t.match(await service.tool('x_gardens_large', input), { isError: true, content: [{ text: new RegExp(message) }] })
  }
  t.match(service.serving.stderr, message)
  t.equal(await kept(), before, 'none of them is kept')
})

t.test('a read that holds the event loop is named', async (t) => {
  const line = { operation: 'x_gardens_hold', models: 'gardens', msg: /holds the event loop/ }
  service.serving.stderr = ''
  let isHeld = true
  const held = service.own('hold', { ms: 2500 }).finally(() => {
    isHeld = false
  })
  await eventually(async () => service.faults.length > 0 || !isHeld)
  t.ok(isHeld, 'while it does')
  t.match(service.faults, [line])
  t.equal((await held).statusCode, 200)
  await eventually(async () =>
    /^vitrine_own_read_faults_total\{operation="x_gardens_hold",fault="held"\} 1$/m.test(await service.metrics()),
  )
  t.equal((await service.own('hold', { ms: 100 })).statusCode, 200)
  t.equal(service.faults.length, 1, 'a shorter while is not')

  service.own('hold', { ms: 1, pattern: `${'a'.repeat(40)}b` }).catch(() => {})
  await eventually(async () => service.faults.length > 1)
  t.match(service.faults[1], line, 'also one that never ends, in the pattern of an input')
})
