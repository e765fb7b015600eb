/** Which requests are admitted, in which turn, and which are shed. */
import t, { type Test } from 'tap'
import { OverloadedError } from '../../../src/contract/errors.js'
import { AdmissionController, type AdmissionControllerOptions, type Ticket } from '../../../src/http/admission/admission-controller.js'
import { AcceptTurns } from '../../../src/lib/accept-turns.js'
import { admit } from './admit.js'

const turn = () => new Promise((resolve) => setImmediate(resolve))

function work(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

function watched(t: Pick<Test, 'teardown'>, options: AdmissionControllerOptions = {}): { controller: AdmissionController; shed: string[] } {
  const shed: string[] = []
  const controller = new AdmissionController({ ...options, onShed: (host, why) => shed.push(`${host} ${why}`) })
  // Stands for the connections of a real host: it keeps the process alive while requests are queued.
  const connection = setInterval(() => {}, 1000)
  t.teardown(() => {
    controller.stop()
    clearInterval(connection)
  })
  return { controller, shed }
}

await t.test('a turn of the event loop', async (t) => {
  const { controller, shed } = watched(t)
  t.notOk(admit(controller, 'api', 'read') instanceof Promise, 'admits at once')
  work(6)
  const late = admit(controller, 'api', 'read')
  t.ok(late instanceof Promise, 'but queues the rest once its time is used up')
  const requests = Array.from({ length: 40 }, async () => (await admit(controller, 'api', null)).close())
  await Promise.all([late, ...requests])
  t.strictSame(shed, [], 'and a burst is served in full')
})

await t.test('a turn admits as many as there is time for', async (t) => {
  const { controller } = watched(t)
  admit(controller, 'api', 'read')
  work(6)
  const requests = Array.from({ length: 60 }, async () => {
    const ticket = await admit(controller, 'api', 'read')
    ticket.releaseSlot()
    ticket.close()
  })
  const all = { served: false }
  const served = Promise.all(requests).then(() => (all.served = true))
  let turns = 0
  for (; !all.served; turns += 1) await turn()
  await served
  t.ok(turns < 30, `${turns} turns for sixty who cost nothing`)
})

await t.test('in a standing queue the newest request is served first', async (t) => {
  const { controller, shed } = watched(t)
  const places: Ticket[] = []
  for (; places.length < 8; await turn()) places.push(await admit(controller, 'api', 'read'))
  const come: string[] = []
  const visit = async (name: string) => {
    const ticket = await admit(controller, 'api', 'read')
    come.push(name)
    return ticket
  }
  const requests = Array.from({ length: 20 }, () => visit('requests'))
  requests.forEach((each) => void each.catch(() => {}))
  while (shed.length === 0) await turn()
  const [early, late] = [visit('early'), visit('late')]
  places[0]?.close()
  const ticket = await Promise.race([early, late])
  t.strictSame(come, ['late'])
  ticket.close()
  await early
  t.strictSame(come, ['late', 'early'])
  for (const each of places.slice(1)) each.close()
  await Promise.allSettled([...requests, early].map(async (each) => (await each).close()))
})

await t.test('a caller with much in the queue waits for those with little, and is shed for them', async (t) => {
  const { controller, shed } = watched(t)
  const places: Ticket[] = []
  for (; places.length < 8; await turn()) places.push(await admit(controller, 'api', 'read', 'greedy'))
  const come: string[] = []
  const visit = async (name: string) => {
    const ticket = await admit(controller, 'api', 'read', name)
    come.push(name)
    return ticket
  }
  const modest = Array.from({ length: 4 }, (_, i) => visit(`modest ${i}`))
  const greedy = Array.from({ length: 40 }, () => visit('greedy').catch((error: Error) => error.name))
  while (shed.length < 28) await turn()
  t.strictSame(come, [], 'those who came first have waited as long')
  for (const ticket of places.splice(0, 4)) ticket.close()
  const served = await Promise.all(modest)
  t.strictSame(come.toSorted(), ['modest 0', 'modest 1', 'modest 2', 'modest 3'], 'but are served')
  for (const ticket of [...places, ...served]) ticket.close()
  const close = (outcome: Ticket | string) => (typeof outcome === 'string' ? outcome : outcome.close())
  const outcomes = await Promise.all(greedy.map((each) => each.then(close)))
  t.equal(outcomes.filter((outcome) => outcome === 'OverloadedError').length, shed.length, 'and only the other is shed')
})

await t.test('a full process sheds a queued request of the caller that has most, for one that has less', async (t) => {
  const { controller, shed } = watched(t, { maxInFlight: 12 })
  const places: Ticket[] = []
  for (; places.length < 8; await turn()) places.push(await admit(controller, 'api', 'read', 'greedy'))
  const outcomes = Promise.allSettled(
    Array.from({ length: 4 }, async () => {
      const ticket = await admit(controller, 'api', 'read', 'greedy')
      ticket.close()
    }),
  )
  const modest = admit(controller, 'web', 'read', 'modest')
  t.strictSame([shed, controller.inFlight], [['api crowded'], 12])
  t.throws(() => admit(controller, 'api', 'read', 'greedy'), OverloadedError)
  for (const ticket of places) ticket.close()
  const served = await modest
  served.close()
  t.equal((await outcomes).filter(({ status }) => status === 'rejected').length, 1)
  t.equal(controller.inFlight, 0)
})

await t.test('a caller who comes back at once waits for one who was not there, and is shed for it', async (t) => {
  const { controller, shed } = watched(t)
  const places: Ticket[] = []
  for (; places.length < 8; await turn()) places.push(await admit(controller, 'api', 'read', `busy ${places.length}`))
  const outcomes = new Map<string, string>()
  const visit = async (caller: string) => {
    const outcome = Promise.resolve(admit(controller, 'api', 'read', caller)).then((ticket) => ticket.close())
    await outcome.then(
      () => outcomes.set(caller, 'served'),
      () => outcomes.set(caller, 'shed'),
    )
  }
  const seldom = visit('seldom')
  // Each of them has one in the queue, as the other has.
  const busy = places.map((_, i) => visit(`busy ${i}`))
  const crowd = Array.from({ length: 12 }, (_, i) => visit(`new ${i}`))
  while (shed.length < 5) await turn()
  for (const ticket of places) ticket.close()
  await Promise.all([seldom, ...busy, ...crowd])
  t.strictSame(
    [...outcomes].filter(([, outcome]) => outcome === 'shed').every(([caller]) => caller.startsWith('busy')),
    true,
  )
  t.equal(outcomes.get('seldom'), 'served')
})

await t.test('requests that were queued when the process stood still are not late for that', async (t) => {
  const { controller, shed } = watched(t)
  const places: Ticket[] = []
  for (; places.length < 8; await turn()) places.push(await admit(controller, 'api', 'read', 'busy'))
  const visitors = Array.from({ length: 60 }, (_, i) =>
    Promise.resolve(admit(controller, 'api', 'read', `new ${i}`)).then((ticket) => ticket.close()),
  )
  work(500)
  await turn()
  for (const ticket of places) ticket.close()
  await Promise.all(visitors)
  t.strictSame(shed, [])
})

await t.test('more work than there is time, again and again', async (t) => {
  const { controller, shed } = watched(t)
  let served = 0
  const asked: Promise<unknown>[] = []
  const visit = async () => {
    const ticket = await admit(controller, 'web', 'read')
    work(4)
    served += 1
    ticket.close()
  }
  while (shed.length < 50) {
    for (let i = 0; i < 20; i += 1) {
      asked.push(visit().catch((error) => t.match(error, { name: 'OverloadedError', status: 503 })))
      // A request that is admitted at once runs before the next one arrives.
      await new Promise((resolve) => process.nextTick(resolve))
    }
    await turn()
  }
  t.strictSame([...new Set(shed)], ['web late'])
  t.ok(served > 0, `${served} were served at the same time`)
  await Promise.all(asked)
  await turn()
  t.notOk(admit(controller, 'web', 'read') instanceof Promise, 'and afterwards requests are admitted at once')
})

await t.test('new connections, of which every turn accepts one', async (t) => {
  const accepting = new AcceptTurns()
  const { controller } = watched(t, { leavesTurn: accepting.forRequests() })
  admit(controller, 'api', 'read')
  work(6)
  const waiting = { isServed: false }
  const served = Promise.resolve(admit(controller, 'api', 'read')).then(() => (waiting.isServed = true))
  let newcomers = 0
  const began = performance.now()
  for (; !waiting.isServed && newcomers < 100_000; newcomers += 1) {
    accepting.noteRefused()
    await turn()
  }
  t.ok(performance.now() - began >= 4, `${newcomers} are accepted before more work is done`)
  t.ok(waiting.isServed, 'but not for ever')
  await served
})

await t.test('reads that wait for the database', async (t) => {
  const { controller, shed } = watched(t)
  const tickets: Ticket[] = []
  for (; tickets.length < 8; await turn()) tickets.push(await admit(controller, 'api', 'read'))
  const next = Promise.resolve(admit(controller, 'api', 'read'))
  t.notOk((await admit(controller, 'web', null)) === undefined, 'do not block requests that need no database')
  t.equal(
    await Promise.race([
      next,
      turn()
        .then(turn)
        .then(() => 'waits'),
    ]),
    'waits',
    'are no more than it takes at a time',
  )
  tickets[0]?.releaseSlot()
  tickets[0]?.releaseSlot()
  const ticket = await next
  t.pass('until one of them is answered')
  const requests = Array.from({ length: 30 }, async () => admit(controller, 'api', 'read'))
  await t.rejects(Promise.all(requests), { name: 'OverloadedError' }, 'and many requests wait for a moment only')
  for (const each of [ticket, ...tickets]) each.close()
  for (const { status } of await Promise.allSettled(requests.map(async (each) => (await each).close()))) shed.push(status)
  t.strictSame(
    shed,
    [...Array(14).fill('api late'), ...Array(14).fill('rejected'), ...Array(16).fill('fulfilled')],
    'but for those who are none',
  )
})

await t.test('while there are others, one caller has a quarter of the slots at most', async (t) => {
  const { controller } = watched(t)
  const running = new Map<string, number>()
  const left: (() => void)[] = []
  const come = async (caller: string) => {
    const ticket = await admit(controller, 'api', 'read', caller)
    running.set(caller, (running.get(caller) ?? 0) + 1)
    left.push(() => {
      running.set(caller, (running.get(caller) ?? 0) - 1)
      ticket.close()
    })
  }
  for (let i = 0; i < 12; i++) void come('one')
  await turn()
  t.equal(running.get('one'), 8, 'alone, all of them')
  void come('other')
  left.shift()?.()
  for (let i = 0; i < 3; i++) await turn()
  t.strictSame([running.get('one'), running.get('other')], [7, 1], 'the other is next')
  for (const leave of left.splice(0, 7)) leave()
  for (let i = 0; i < 3; i++) await turn()
  t.equal(running.get('one'), 2, 'and what was freed stays free for others')
  for (let i = 0; i < 6; i++) void come(`newcomer ${i}`)
  for (let i = 0; i < 3; i++) await turn()
  t.equal(
    [...running.values()].reduce((sum, count) => sum + count, 0),
    8,
  )
  while (left.length > 0) {
    for (const leave of left.splice(0)) leave()
    for (let i = 0; i < 3; i++) await turn()
  }
  t.strictSame(
    [...running.values()].filter((count) => count > 0),
    [],
    'in the end all have been served',
  )
})
