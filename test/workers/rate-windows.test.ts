import t from 'tap'
import { LocalReplyStore } from '../../src/operations/kept-replies.js'
import { LocalRateWindows } from '../../src/rate-limit/local-rate-windows.js'
import { type MessageBatch, RpcChannel } from '../../src/workers/rpc-channel.js'
import { SharedState, WorkerRateWindows } from '../../src/workers/shared-state.js'
import { keepsItsNumber } from '../http/rate-limit/window-contract.js'
import { eventually } from '../ports/subject.js'

const WINDOW_MS = 60_000
const NOW = 1_000 * WINDOW_MS

const ada = (limit: number) => [{ key: 'ada', limit }]

/** The windows of several workers with one shared state. `asked` counts the message batches that reach it. */
function sharedWindows(size: number, settleMs?: number) {
  const state = new SharedState(new LocalReplyStore())
  let asked = 0
  const workers = Array.from({ length: size }, (_, id) => {
    const ends: ((message: unknown) => void)[] = []
    const wire = (to: number) => ({
      send: (batch: MessageBatch) => {
        if (to === 1) asked += 1
        setImmediate(() => ends[to]?.(JSON.parse(JSON.stringify(batch))))
      },
      onMessage: (listener: (message: unknown) => void) => void ends.push(listener),
    })
    const channel = new RpcChannel(wire(1), {})
    new RpcChannel(wire(0), state.handlersFor(id))
    return new WorkerRateWindows(channel, 'public', settleMs)
  })
  return { workers, asked: () => asked }
}

t.test('far from the limit a worker does not ask for each request, and every request still counts', async (t) => {
  const { workers, asked } = sharedWindows(1)
  const [worker] = workers
  const alone = new LocalRateWindows()
  for (let i = 0; i < 600; i++) {
    const expected = alone.take(ada(1000), NOW, 1)
    t.strictSame(await worker?.take(ada(1000), NOW, 1), expected)
  }
  t.ok(asked() < 60, `${asked()} questions for 600 requests`)
})

t.test('near the limit a worker asks for each request', async (t) => {
  const { workers, asked } = sharedWindows(2)
  for (let i = 0; i < 40; i++) t.equal((await workers[i % 2]?.take(ada(30), NOW, 1))?.allowed, i < 30)
  t.equal(asked(), 40)
})

t.test('workers together never let more through than the limit, and in the end no less', async (t) => {
  const { workers } = sharedWindows(3)
  let passed = 0
  const round = async (requests: number) => {
    const decisions = Array.from({ length: requests }, (_, i) => workers[(i * i + passed) % 3]?.take(ada(500), NOW, 1))
    for (const decision of await Promise.all(decisions)) passed += Number(decision?.allowed)
  }
  for (let i = 0; i < 20; i++) await round(40)
  t.ok(passed <= 500 && passed > 300, `${passed} at first`)
  // What one of them has been given ahead and does not use comes back.
  await eventually(async () => {
    await round(1)
    return passed === 500
  })
  await round(50)
  t.equal(passed, 500)
})

t.test('workers keep the limits that they share', (t) =>
  keepsItsNumber(t, { processes: sharedWindows(2, 1).workers, numRuns: 200, isExact: false }),
)

t.test('what was leased counts from when it was used, not from when it was leased', async (t) => {
  const { workers } = sharedWindows(1)
  const [worker] = workers
  await worker?.take(ada(320), NOW, 1)
  for (let i = 0; i < 19; i++) await worker?.take(ada(320), NOW + 900, 1)
  t.match(await worker?.take(ada(320), NOW + WINDOW_MS + 899, 300), { allowed: true, remaining: 1 }, 'the first has come back')
  t.match(await worker?.take(ada(320), NOW + WINDOW_MS + 900, 20), { allowed: true, remaining: 0 }, 'and so have the leased ones')
})
