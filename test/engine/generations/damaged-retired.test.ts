/** A damaged retired generation does not stop the live one. */
import { writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { DocumentStore } from '../../../src/ports/document-store.js'
import { eventually, type Subject } from '../../ports/subject.js'
import { liked, published, registered, removed } from '../../spec/events.js'
import { gate } from '../../support/gate.js'
import { type MemoryStore, memoryStore } from '../../support/memory-store.js'
import { replacing } from '../../support/replacing.js'
import { ProjectorFixture } from '../fixture.js'
import { SqliteFolder } from '../sqlite-folder.js'

const told = [registered('ann'), published('c1', { by: 'ann' }), published('c2', { by: 'ann' })]
const DROPPED = 'a retired generation was dropped: what has been removed cannot be removed from it'

/** One generation is retired, one is live, and there is no leader. */
async function rebuilt(t: Test, subject: Subject<DocumentStore>): Promise<ProjectorFixture> {
  const fixture = await ProjectorFixture.open(t, subject, told)
  await fixture.rebuild()
  t.strictSame(await fixture.states(), ['g1 retired', 'g2 live'])
  await fixture.stop()
  return fixture
}

/** Each of these is met at another moment: when it is opened, and when it is caught up. */
const HARMS: Record<string, (folder: SqliteFolder, fixture: ProjectorFixture) => Promise<void>> = {
  'the file is no database': async (folder, fixture) => {
    const [retired] = await fixture.generations()
    if (retired !== undefined) writeFileSync(folder.path(retired), 'x'.repeat(8192))
  },
  'a document cannot be read': async (folder, fixture) =>
    folder.scribble((await fixture.generations())[0], "UPDATE items SET doc = 'no document' WHERE id = 'c1'"),
}

for (const [what, harm] of Object.entries(HARMS)) {
  t.test(`${what}: the retired generation is dropped with the next removal`, async (t) => {
    const folder = new SqliteFolder()
    const fixture = await rebuilt(t, folder)
    await harm(folder, fixture)
    await fixture.lead()
    await fixture.tell(removed('c1'))
    await eventually(async () => (await fixture.states()).length === 1)
    t.strictSame(await fixture.states(), ['g2 live'])
    t.ok(fixture.warnings.includes(DROPPED), 'it is said')
    await fixture.tell(liked('c2', 'bob'))
    t.notOk(fixture.warnings.includes('projection retrying'), 'the leader did not start again')
  })
}

/** A store that, when switched on, cannot open retired generations or cannot write to them, or writes after a while. */
class Sticky implements Subject<DocumentStore> {
  readonly name = 'memory'
  stuck: 'opening' | 'writing' | Promise<void> | null = null

  async open() {
    const store = memoryStore()
    return { store, another: async () => this.#sticky(store.another()), remove: async () => {} }
  }

  #sticky(store: MemoryStore): DocumentStore {
    const open = store.openGeneration.bind(store)
    const refuse = () => {
      throw new Error('stuck')
    }
    const openGeneration: DocumentStore['openGeneration'] = async (generation, collections) => {
      if (generation.state !== 'retired' || this.stuck === null) return open(generation, collections)
      if (this.stuck === 'opening') refuse()
      const opened = await open(generation, collections)
      return replacing(opened, {
        commit: async (...args: Parameters<typeof opened.commit>) => {
          if (this.stuck === 'writing') refuse()
          await this.stuck
          await opened.commit(...args)
        },
      })
    }
    return Object.assign(store, { openGeneration })
  }
}

for (const what of ['opening', 'writing'] as const) {
  t.test(`a retired generation that is stuck in ${what} is caught up later`, async (t) => {
    const store = new Sticky()
    const fixture = await rebuilt(t, store)
    store.stuck = what
    await fixture.lead()
    await fixture.tell(removed('c1'))
    await eventually(async () => fixture.warnings.includes('catching up a retired generation is tried again'))
    await fixture.tell(liked('c2', 'bob'))
    t.strictSame(await fixture.states(), ['g1 retired', 'g2 live'], 'it is kept, and events go on being projected')
    t.notOk(fixture.warnings.includes('projection retrying'), 'the leader did not start again')
    store.stuck = null
    await eventually(async () => JSON.parse((await fixture.dump(1)).get('items/c1') ?? '{}').removed === true)
    t.strictSame(await fixture.states(), ['g1 retired', 'g2 live'])
  })
}

t.test('a retired generation that takes long keeps the live one from nothing', async (t) => {
  const store = new Sticky()
  const fixture = await rebuilt(t, store)
  const [stuck, open] = gate()
  store.stuck = stuck
  await fixture.lead()
  await fixture.tell(removed('c1'))
  for (const who of ['bob', 'cyd', 'dan']) await fixture.tell(liked('c2', who))
  const removedIn = async (generation: number) => JSON.parse((await fixture.dump(generation)).get('items/c1') ?? '{}').removed === true
  t.ok(await removedIn(2))
  t.notOk(await removedIn(1), 'it is still at that')
  open()
  await eventually(() => removedIn(1))
})
