import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { items } from '../../../readmodels/feed/documents.js'
import type { Projection } from '../../../src/engine/definition/projection.js'
import type { GenerationStore } from '../../../src/ports/document-store.js'
import { edited, liked, played, published, registered, type Told } from '../../spec/events.js'
import { World } from '../../spec/world.js'
import { decode } from '../../support/decode.js'
import { faultyProjection } from '../../support/faulty-projection.js'

/** A store whose commits wait until the test releases them, or makes them fail. */
class Gate {
  readonly #waiting: { resolve(): void; reject(error: Error): void }[] = []
  begun = 0
  #isOpen = false

  around = (store: GenerationStore): GenerationStore => {
    const commit = store.commit.bind(store)
    const gated: typeof commit = async (...args) => {
      this.begun += 1
      if (!this.#isOpen) await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }))
      return commit(...args)
    }
    return Object.assign(store, { commit: gated, preferredCommitSize: 1 })
  }

  open(): void {
    this.#isOpen = true
    for (const { resolve } of this.#waiting.splice(0)) resolve()
  }

  fail(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}

/** A world that commits what is folded as soon as no other commit is in flight. */
async function opened(t: Test, projection: Projection = feedProjection): Promise<{ world: World; gate: Gate }> {
  const gate = new Gate()
  const world = await World.open(t, projection, { loading: true, between: gate.around })
  return { world, gate }
}

const fold = (world: World, ...told: readonly Told[]): Promise<void> =>
  world.session.advance(
    world.script.write(...told).map((record) => ({ record, decoded: decode(record) })),
    { defer: true },
  )

const two = [registered('ada'), published('c1', { by: 'ada' }), published('c2', { by: 'ada', remixOf: 'c1' })]

t.test('while loading, events are folded while a commit is in flight', async (t) => {
  const { world, gate } = await opened(t)
  await fold(world, ...two)
  t.equal(gate.begun, 1)
  t.equal(world.session.position, 3, 'and nothing waits for it')
  const second = fold(world, liked('c1', 'bob'))
  while (world.session.position < 4) await turn()
  t.equal(gate.begun, 1, 'but there is only one at a time')
  gate.open()
  await second
  await world.session.flush()
  t.equal((await world.store.checkpoint()).position, 4)
  t.match(await world.doc(items, 'c1'), { likes: 1, remixes: 1 })
})

t.test('a fan-out finds documents whose commit is in flight', async (t) => {
  const { world, gate } = await opened(t)
  await fold(world, ...two)
  const beside = fold(world, edited('c1', { title: { en: 'A new name' } }))
  while (world.session.position < 4) await turn()
  gate.open()
  await beside
  await world.session.flush()
  t.match(await world.doc(items, 'c2'), { original: { title: { en: 'A new name' } } })
})

t.test('the next call throws the error of a failed commit, and nothing is committed after it', async (t) => {
  const { world, gate } = await opened(t)
  await fold(world, ...two)
  gate.fail(new Error('the disk is full'))
  await t.rejects(fold(world, liked('c1', 'bob')), { message: 'the disk is full' })
  await t.rejects(world.session.flush(), { message: 'the disk is full' }, 'and so does the call after that')
  t.equal((await world.store.checkpoint()).position, 0)
  gate.open()
  await world.restart()
  await world.deliver(world.script.records)
  t.match(await world.doc(items, 'c1'), { likes: 1 }, 'and a new session does it all again')
})

t.test('an invalid document takes back only what came after the commit in flight', async (t) => {
  const { projection: spoiling } = faultyProjection(feedProjection, 'unfit', ({ name }) => name === 'creation.played')
  const { world, gate } = await opened(t, spoiling)
  await fold(world, ...two)
  gate.open()
  await fold(world, liked('c1', 'bob'), played('c1'), liked('c2', 'bob'))
  await world.session.flush()
  t.match(await world.tallies(), { applied: 5, parked: 1 })
  t.match(await world.doc(items, 'c1'), { likes: 1, plays: 0 })
  t.match(await world.doc(items, 'c2'), { likes: 1 })
})
