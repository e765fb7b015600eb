/** What only JetStream has as an event log: other publishers, existing streams, and authentication. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ConnectionOptions, connect, DiscardPolicy, headers, type NatsConnection, RetentionPolicy, type StreamConfig } from 'nats'
import t, { type Test } from 'tap'
import { JetStreamEventLog, type JetStreamLogOptions } from '../../src/adapters/nats/event-log.js'
import { fromNatsSubject, toNatsSubject } from '../../src/adapters/nats/message.js'
import { logSettings } from '../../src/adapters/nats/stream.js'
import { type Position, START } from '../../src/ports/event-log.js'
import { PATIENT, startNats } from '../servers/nats.js'

t.test('subjects of any kind come back as they were', async (t) => {
  for (const subject of ['creation/c_81', 'creation/a.b', 'creation/', '', '/', 'creation', 'a/b/c', 'creation/é 日本 *>%', 'x/%41']) {
    const token = toNatsSubject('app.events', subject)
    t.match(token, /^app\.events(\.[A-Za-z0-9_%-]+){1,2}$/, subject)
    t.equal(fromNatsSubject('app.events', token), subject)
  }
  t.equal(fromNatsSubject('app.events', 'app.events.creation.c.81'), 'creation/c.81', 'more dots than there should be')
  t.equal(fromNatsSubject('app.events', 'app.events.creation.50%'), 'creation/50%', 'an escape that is none')
  t.equal(fromNatsSubject('app.events', 'elsewhere.x'), 'elsewhere/x')
})

t.test('reads everything that the backend has published', async (t) => {
  const server = await startNats(t)
  if (server === null) return
  const log = openLog(t, { servers: server.url })
  await log.bounds()
  await withNats({ servers: server.url }, async (connection) => {
    const jetstream = connection.jetstream()
    await jetstream.publish('app.events.creation.c_1', '{"id":"inside"}', { msgID: 'outside' })
    await jetstream.publish('app.events.creation.c_1', '{"id":"inside"}')
    await jetstream.publish('app.events.creation.c_1', new Uint8Array([0xff, 0xfe]))
    await jetstream.publish('app.events.creation.c_1', '{"id":"half a pair \\ud800"}')
    await jetstream.publish('app.events.creation.c_1', `{"id":"${'x'.repeat(10_000)}"}`)
    const odd = headers()
    odd.set('Vitrine-Appended-At', 'yesterday')
    await jetstream.publish('app.events', '', { headers: odd }).catch(() => {})
    await jetstream.publish('app.events.a.b.c.d', '[]', { headers: odd })
  })
  const records = await log.read(START, 10)
  t.strictSame(
    records.map(({ id, subject, payload }) => [id, subject, payload]),
    [
      ['outside', 'creation/c_1', '{"id":"inside"}'],
      ['inside', 'creation/c_1', '{"id":"inside"}'],
      ['position 3', 'creation/c_1', '\ufffd\ufffd'],
      ['half a pair \ufffd', 'creation/c_1', '{"id":"half a pair \\ud800"}'],
      ['x'.repeat(200), 'creation/c_1', `{"id":"${'x'.repeat(10_000)}"}`],
      ['position 6', 'a/b.c.d', '[]'],
    ],
  )
  t.ok(records.every(({ appendedAt }) => appendedAt > 1_700_000_000_000))
})

t.test('an id is refused however long ago it was published, in a few subjects and in many', async (t) => {
  const server = await startNats(t)
  if (server === null) return
  await withNats({ servers: server.url }, async (connection) => {
    const { streams } = await connection.jetstreamManager()
    // The shortest memory a server can have for ids.
    await streams.add({ ...logSettings('APP_EVENTS', 'app.events'), duplicate_window: 100_000_000 })
  })
  const records = Array.from({ length: 300 }, (_, i) => ({ id: `id ${i} é`, subject: `creation/c_${i % 100}`, payload: '{}' }))
  const first = openLog(t, { servers: server.url })
  await first.append(records)
  await first.redact([2, 90, 300].map((position) => ({ position: position as Position, payload: '{"redacted":true}' })))
  for (const again of [records.slice(0, 3), records]) {
    const log = openLog(t, { servers: server.url })
    t.strictSame(await log.append(again), { last: 300, appended: 0, duplicates: again.length })
  }
})

t.test('finds the events of one aggregate, of hundreds and of thousands, redacted ones too', async (t) => {
  const server = await startNats(t)
  if (server === null) return
  const log = openLog(t, { servers: server.url })
  const subject = (i: number) => `creation/c_${i}`
  await log.append(Array.from({ length: 6000 }, (_, i) => ({ id: `id-${i}`, subject: subject(i % 3000), payload: '{}' })))
  const redacted = [1, 2, 3, 1001, 3001].map((position) => position as Position)
  await log.redact(redacted.map((position) => ({ position, payload: '{"redacted":true}' })))
  for (const reader of [log, openLog(t, { servers: server.url })]) {
    for (const count of [1, 700, 2500]) {
      const found: number[] = []
      for await (const { position, payload } of reader.readSubjects(Array.from({ length: count }, (_, i) => subject(i)))) {
        found.push(position)
        if (payload !== (redacted.includes(position) ? '{"redacted":true}' : '{}')) t.fail(`${position}: ${payload}`)
      }
      const expected = Array.from({ length: count }, (_, i) => [i + 1, i + 3001]).flat()
      t.strictSame(
        found.sort((a, b) => a - b),
        expected.sort((a, b) => a - b),
      )
    }
  }
})

t.test('an unused reader is closed, and reads continue without it', async (t) => {
  const server = await startNats(t)
  if (server === null) return
  const records = Array.from({ length: 6000 }, (_, i) => ({ id: `id-${i}`, subject: `creation/c-${i}`, payload: '{}' }))
  await openLog(t, { servers: server.url }).append(records)
  await withNats({ servers: server.url }, async (connection) => {
    const { consumers } = await connection.jetstreamManager()
    const open = async () => (await consumers.list('APP_EVENTS').next()).length
    /** Reads at two places, of which only the end goes on being read. */
    const readBoth = async (log: JetStreamEventLog) => {
      await log.read(START, 10)
      await log.read(5990 as Position, 100)
      const soon = new AbortController()
      setImmediate(() => soon.abort())
      t.strictSame(await log.next(6000 as Position, 10, soon.signal), [])
    }
    const patient = openLog(t, { servers: server.url, idleMs: 60_000 })
    await readBoth(patient)
    t.equal(await open(), 2)
    await patient.close()
    const log = openLog(t, { servers: server.url, idleMs: 50 })
    while ((await open()) > 0) await nextTurn()
    await readBoth(log)
    while ((await open()) !== 1) {
      const soon = new AbortController()
      setImmediate(() => soon.abort())
      await log.next(6000 as Position, 10, soon.signal)
    }
    await log.append([{ id: 'new', subject: 'creation/new', payload: '{}' }])
    const [next] = await log.next(6000 as Position, 10, new AbortController().signal)
    t.equal(next?.id, 'new')
    t.equal((await log.read(START, 10)).length, 10, 'the beginning can still be read')
  })
})

t.test('a redaction that an operator deleted is not waited for', async (t) => {
  const server = await startNats(t)
  if (server === null) return
  const log = openLog(t, { servers: server.url })
  const ids = ['a', 'b', 'c']
  await log.append(ids.map((id) => ({ id, subject: `creation/${id}`, payload: '{"said":1}' })))
  await log.redact([1, 2].map((position) => ({ position: position as Position, payload: '{"said":0}' })))
  await withNats({ servers: server.url }, async (connection) => {
    const { streams } = await connection.jetstreamManager()
    const { state } = await streams.info('APP_EVENTS_REDACTED')
    await streams.deleteMessage('APP_EVENTS_REDACTED', state.last_seq)
  })
  const another = openLog(t, { servers: server.url })
  const read = async () => (await another.read(START, 10)).map(({ id, payload }) => [id, payload])
  t.strictSame(await read(), [
    ['a', '{"said":0}'],
    ['c', '{"said":1}'],
  ])
  await another.redact([{ position: 3 as Position, payload: '{"said":0}' }])
  t.strictSame((await read()).at(-1), ['c', '{"said":0}'], 'and later ones are found')
})

t.test('refuses what the server would not take, before anything is published', async (t) => {
  const server = await startNats(t)
  if (server === null) return
  const log = openLog(t, { servers: server.url })
  const fine = { id: 'a', subject: 'creation/a', payload: '{}' }
  await t.rejects(log.append([fine, { ...fine, id: 'b', payload: 'x'.repeat(2 ** 20) }]), /is larger than the server takes/)
  await t.rejects(log.append([fine, { ...fine, id: 'b', subject: `creation/${'x'.repeat(5000)}` }]), /is too long/)
  t.equal((await log.bounds()).last, 0)
})

t.test('a stream that would lose events is refused, and says why', async (t) => {
  const server = await startNats(t)
  if (server === null) return
  const unfit: [Partial<StreamConfig>, RegExp][] = [
    [{ max_age: 3_600_000_000_000 }, /its max_age is 3600000000000 and must be 0/],
    [{ max_bytes: 1e6 }, /its max_bytes is 1000000 and must be -1/],
    [{ max_msgs: 1000 }, /its max_msgs is 1000 and must be -1/],
    [{ max_msgs_per_subject: 5 }, /its max_msgs_per_subject is 5 and must be -1/],
    [{ discard: DiscardPolicy.Old }, /its discard is old and must be new/],
    [{ retention: RetentionPolicy.Interest }, /its retention is interest and must be limits/],
    [{ subjects: ['app.events.creation.*'] }, /its subjects are app\.events\.creation\.\* and must include app\.events\.>/],
  ]
  await withNats({ servers: server.url }, async (connection) => {
    const { streams } = await connection.jetstreamManager()
    for (const [config, complaint] of unfit) {
      await streams.add({ ...logSettings('APP_EVENTS', 'app.events'), ...config })
      await t.rejects(openLog(t, { servers: server.url }).bounds(), { name: 'LogUnfitError', message: complaint })
      await streams.delete('APP_EVENTS')
    }
  })
  await t.rejects(openLog(t, { servers: server.url, create: false }).bounds(), {
    name: 'LogUnfitError',
    message: /There is no stream APP_EVENTS/,
  })
  t.strictSame(await openLog(t, { servers: server.url }).bounds(), { first: 1, last: 0 }, 'created, once it may be')
})

t.test('a stream that collects those of two regions is a log as any other', async (t) => {
  const server = await startNats(t)
  if (server === null) return
  const logOf = (stream: string, prefix: string) => openLog(t, { servers: server.url, stream, prefix })
  const regions = [logOf('EU', 'eu.events'), logOf('US', 'us.events')]
  for (const region of regions) await region.bounds()
  const sources = (dest: string) =>
    ['eu', 'us'].map((region) => ({
      name: region.toUpperCase(),
      subject_transforms: [{ src: `${region}.events.>`, dest: `${dest}.>` }],
    }))
  const settings = { ...logSettings('APP_EVENTS', 'app.events'), subjects: [] }
  await withNats({ servers: server.url }, async (connection) => {
    const { streams } = await connection.jetstreamManager()
    await streams.add({ ...settings, name: 'ELSEWHERE', sources: sources('other') })
    const elsewhere = openLog(t, { servers: server.url, stream: 'ELSEWHERE' })
    await t.rejects(elsewhere.bounds(), /its sources become other\.>, other\.> and must become app\.events\.>/)
    await streams.add({ ...settings, sources: sources('app.events') })
  })
  const log = openLog(t, { servers: server.url })
  const one = (id: string) => ({ id, subject: `creation/${id}`, payload: '{}' })
  await t.rejects(log.append([one('x')]), { name: 'LogUnfitError', message: /only collects others: publish to those/ })
  for (const [i, region] of regions.entries()) await region.append([one(`a${i}`), one(`b${i}`)])
  const collected = async (count: number) => {
    let after = START
    for (let found = 0; found < count; ) {
      const records = await log.next(after, 10, AbortSignal.timeout(PATIENT.requestTimeoutMs))
      found += records.length
      after = records.at(-1)?.position ?? after
    }
    return log.read(START, 10)
  }
  const all = await collected(4)
  t.strictSame(
    all.map(({ position }) => position),
    [1, 2, 3, 4],
    'one sequence',
  )
  t.strictSame(
    all.map(({ subject }) => subject).sort(),
    ['a0', 'a1', 'b0', 'b1'].map((id) => `creation/${id}`),
  )
  const [second] = all.slice(1)
  if (second === undefined) return
  await log.redact([{ position: second.position, payload: '{"redacted":true}' }])
  await regions[0]?.append([one('c0')])
  t.match(await collected(5), [{}, { id: second.id, payload: '{"redacted":true}' }, {}, {}, { id: 'c0' }])
})

t.test('redactions of a former stream are not taken for events of this one', async (t) => {
  const server = await startNats(t)
  if (server === null) return
  const record = (id: string, n: number) => ({ id: `${id}${n}`, subject: `creation/${id}`, payload: '{}' })
  const former = openLog(t, { servers: server.url })
  await former.append([1, 2, 3, 4].map((n) => record('a', n)))
  await former.redact([2, 4].map((position) => ({ position: position as Position, payload: '{"redacted":true}' })))
  await withNats({ servers: server.url }, async (connection) => {
    const { streams } = await connection.jetstreamManager()
    await streams.delete('APP_EVENTS')
  })
  const log = openLog(t, { servers: server.url })
  await log.append([1, 2, 3].map((n) => record('b', n)))
  t.strictSame(await log.read(3 as Position, 1), [], 'nothing is at position 4')
  t.match(await log.read(START, 10), [{ id: 'b1' }, { id: 'b2', payload: '{}' }, { id: 'b3' }])
  for await (const { id } of log.readSubjects(['creation/a'])) t.fail(`${id} is not in this stream`)
  await log.redact([{ position: 3 as Position, payload: '{"redacted":"b"}' }])
  t.strictSame(await openLog(t, { servers: server.url }).bounds(), { first: 1, last: 3 })
  t.match(await log.read(2 as Position, 1), [{ id: 'b3', payload: '{"redacted":"b"}' }])
})

t.test('with user and password, in the address or apart', async (t) => {
  const server = await startNats(t, { args: ['--user', 'vitrine', '--pass', 'p@ss'], client: { user: 'vitrine', pass: 'p@ss' } })
  if (server === null) return
  const log = openLog(t, { servers: server.url, user: 'vitrine', password: 'p@ss' })
  t.equal((await log.append([{ id: 'a', subject: 'creation/a', payload: '{}' }])).last, 1)
  const other = openLog(t, { servers: server.url.replace('nats://', 'nats://vitrine:p%40ss@') })
  t.equal((await other.bounds()).last, 1)
  const stranger = openLog(t, { servers: server.url, user: 'vitrine', password: 'wrong' })
  await t.rejects(stranger.bounds(), { name: 'NatsUnavailableError', message: /NATS cannot be reached at nats:.*authorization/i })
})

function openLog(t: Test, options: Omit<JetStreamLogOptions, 'stream'> & { stream?: string }): JetStreamEventLog {
  const log = new JetStreamEventLog({ ...PATIENT, stream: 'APP_EVENTS', ...options })
  t.teardown(() => log.close())
  return log
}

async function withNats(options: ConnectionOptions, work: (connection: NatsConnection) => Promise<void>): Promise<void> {
  const connection = await connect(options)
  try {
    await work(connection)
  } finally {
    await connection.close()
  }
}
