import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { operation } from '../../src/contract/operation.js'
import { PublicUrls } from '../../src/contract/public-urls.js'
import type { Position } from '../../src/events/index.js'
import { ReadExecutor } from '../../src/operations/read-executor.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import { memoryStore } from '../support/memory-store.js'

/** An operation that needs these models and answers nothing. */
const reading = (...models: string[]) =>
  operation({
    name: 'look',
    operationId: 'look',
    path: '/look',
    tag: 'community',
    summary: '',
    description: '',
    input: z.object({}),
    output: z.object({}),
    models,
    example: { input: {}, output: {} },
    run: async () => ({}),
  })

/** Moves a model to a position, and makes it live if it is not. */
async function move(store: DocumentStore, projection: string, position: number): Promise<void> {
  const live = (await store.generations(projection)).find(({ state }) => state === 'live')
  const generation = live ?? (await store.createGeneration(projection, 1, []))
  const opened = await store.openGeneration(generation, [])
  const from = await opened.fence(1)
  await opened.commit({ from, to: { ...from, position: position as Position }, writes: [] })
  await opened.close()
  if (live === undefined) await store.promote(generation)
}

async function models(t: Test): Promise<{ store: DocumentStore; operations: ReadExecutor }> {
  const store = memoryStore()
  t.teardown(() => store.close())
  await move(store, 'feed', 7)
  await move(store, 'shares', 5)
  await move(store, 'tags', 9)
  return { store, operations: new ReadExecutor(store, new PublicUrls('vitrine.example'), { waitMs: 50 }) }
}

t.test('an answer reflects the lowest position among the models it was read from', async (t) => {
  const { operations } = await models(t)
  const table: [models: string[], position: number][] = [
    [['feed'], 7],
    [['feed', 'shares'], 5],
    [['shares', 'feed'], 5],
    [['feed', 'tags'], 7],
  ]
  for (const [names, position] of table) t.equal((await operations.execute(reading(...names), {})).position, position, names.join(' and '))
})

t.test('a wait is for all of them', async (t) => {
  const { operations } = await models(t)
  const wait = (position: number, ...names: string[]) =>
    operations.execute(reading(...names), {}, { wait: { position: position as Position } })
  t.equal((await wait(7, 'feed', 'tags')).position, 7)
  await t.rejects(wait(8, 'feed', 'tags'), { name: 'ServiceError', message: /position 8/ }, 'one lagging model is enough to wait')
  await t.rejects(wait(6, 'feed', 'shares'), { name: 'ServiceError', message: /position 6/ })
})

t.test('a wait ends as soon as the last of them has caught up', async (t) => {
  const { store } = await models(t)
  const patient = new ReadExecutor(store, new PublicUrls('vitrine.example'), { waitMs: 20_000 })
  const began = Date.now()
  const waiting = patient.execute(reading('feed', 'shares'), {}, { wait: { position: 8 as Position } })
  await move(store, 'feed', 8)
  await move(store, 'shares', 8)
  t.equal((await waiting).position, 8)
  t.ok(Date.now() - began < 10_000, 'not when the time is up')
})

t.test('reads that take long begin in turns of their own, those that waited and wake together as well', async (t) => {
  const { store } = await models(t)
  const patient = new ReadExecutor(store, new PublicUrls('vitrine.example'), { waitMs: 20_000 })
  let turns = 0
  let timer = setImmediate(function next() {
    turns += 1
    timer = setImmediate(next)
  })
  t.teardown(() => clearImmediate(timer))
  let seen = new Set<number>()
  const long = {
    ...reading('feed'),
    run: async () => {
      seen.add(turns)
      for (const until = performance.now() + 6; performance.now() < until; );
      return {}
    },
  }
  const failing = { ...reading('feed'), run: () => Promise.reject(new Error('no answer')) }
  const readAll = async (wait?: { position: Position }) => {
    seen = new Set()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => patient.execute(i % 5 === 0 ? failing : long, {}, { wait })),
    )
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 40, 'each gets its answer')
    t.equal(seen.size, 40, 'so that others are served in between')
  }
  await readAll()
  const woken = readAll({ position: 8 as Position })
  for (const until = turns + 5; turns < until; ) await nextTurn()
  await move(store, 'feed', 8)
  await woken
})

t.test('who reads much is not read before the others', async (t) => {
  const { operations } = await models(t)
  const order: string[] = []
  const busy = {
    ...reading('feed'),
    run: async () => {
      for (const until = performance.now() + 6; performance.now() < until; );
      return {}
    },
  }
  const readBy = (caller: string) => operations.execute(busy, {}, { caller }).then(() => order.push(caller))
  await Promise.all([...Array.from({ length: 20 }, () => readBy('one')), readBy('another'), readBy('a third')])
  t.ok(order.indexOf('another') < 4, `not after all: ${order}`)
  t.ok(order.indexOf('a third') < 5)
})

t.test('a wait ends when its caller has gone, and nothing is read then', async (t) => {
  const { store } = await models(t)
  const patient = new ReadExecutor(store, new PublicUrls('vitrine.example'), { waitMs: 20_000 })
  const read = { ...reading('feed'), run: () => Promise.reject(new Error('it was read')) }
  const wait = ({ signal }: AbortController) => patient.execute(read, {}, { wait: { position: 8 as Position, signal } })
  const callers = { first: new AbortController(), second: new AbortController() }
  const [first, second] = [wait(callers.first), wait(callers.second)]
  await nextTurn()
  callers.first.abort()
  await t.rejects(first, { name: 'ServiceError' }, 'while it waits')
  await move(store, 'feed', 8)
  callers.second.abort()
  await t.rejects(second, { name: 'ServiceError' }, 'and when it has just been woken')
})
