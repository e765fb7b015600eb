/** What custom reads may do to a process, on a started service. */
import t from 'tap'
import { eventually } from '../../ports/subject.js'
import { HostileService } from './hostile-service.js'
import { throwsWhereNothingAwaits } from './stray-faults.js'

const service = await HostileService.start(t)

t.test('what a custom read throws where nothing awaits it ends no process', async (t) => {
  await throwsWhereNothingAwaits(t, service)
  t.ok(service.serving.isRunning)
})

t.test('whatever a custom read throws is a 500 that names it', async (t) => {
  const message = 'x_gardens_fail failed. The request id helps us to find out why.'
  for (const how of ['status', 'text', 'nothing', 'getter', 'message', 'proxy', 'revoked', 'child', 'causes', 'large'])
    for (const input of [{ how }, { parsing: how }] as Record<string, string>[]) {
      service.serving.stderr = ''
      const { statusCode, body } = await service.own('fail', input)
      t.match({ statusCode, ...JSON.parse(body) }, { statusCode: 500, error: 'internal_error', message }, JSON.stringify(input))
      t.match(await service.batch('x_gardens_fail', input), { status: 500, message })
      t.match(await service.tool('x_gardens_fail', input), { isError: true, content: [{ text: new RegExp(message) }] })
      await eventually(async () => service.serving.stderr.includes(message))
      t.ok(service.serving.stderr.length < 60_000, 'short lines')
    }
})

t.test('inputs that JSON cannot tell apart have answers of their own', async (t) => {
  const shown = async (input: object) => {
    const { status, data } = await service.batch('x_gardens_turned', input)
    return { status, data }
  }
  const inputs = [
    ...['set', 'pattern', 'big'].flatMap((field) => [{ [field]: '1' }, { [field]: '2' }]),
    ...['NaN', 'Infinity', '-Infinity', '-0', '0'].map((number) => ({ number })),
    ...[null, {}, [], '', { a: 1 }, { b: 1 }].map((any) => ({ any })),
    { set: '1', big: '1' },
    {},
  ]
  const answers = []
  for (const input of inputs) answers.push(await shown(input))
  t.ok(answers.every(({ status }) => status === 200))
  t.equal(new Set(answers.map(({ data }) => JSON.stringify(data))).size, inputs.length)
  const misses = async () => /^vitrine_cache_reads_total\{outcome="miss"\} \d+$/m.exec(await service.metrics())?.[0]
  const before = await misses()
  t.type(before, 'string')
  t.strictSame(await shown({ big: '1', set: '1' }), answers.at(-2), 'the order of fields does not count')
  t.equal(await misses(), before)
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
