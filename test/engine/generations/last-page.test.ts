import t from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { withDeadLetters } from '../../../src/engine/definition/dead-letter-collections.js'
import { type BuildProgress, buildGeneration } from '../../../src/engine/generations/build-generation.js'
import { played, published, registered, scored } from '../../spec/events.js'
import { Script } from '../../spec/script.js'
import { faultyProjection } from '../../support/faulty-projection.js'
import { MemoryEventLog } from '../../support/memory-log.js'
import { memoryStore } from '../../support/memory-store.js'
import { replacing } from '../../support/replacing.js'

/** Pages of a hundred events. */
const RATE = 400
/** Reached in the second page, when the changes of the first are not committed yet. */
const AMPLE = 50

const projection = withDeadLetters(faultyProjection(feedProjection, 'unfit', ({ name }) => name === 'creation.scored').projection)

t.test(
  'a load whose last page is taken back, for a document that cannot be written, begins its indexes only when all is folded',
  async (t) => {
    const script = new Script()
    script.write(registered('ada'), published('c1', { by: 'ada' }), ...Array.from({ length: 98 }, () => played('c1')))
    script.write(scored('c1', 'bob', 5), ...Array.from({ length: 60 }, (_, i) => registered(`creator-${i}`)))
    const memory = memoryStore()
    const store = replacing(memory, {
      openGeneration: async (...args) => replacing(await memory.openGeneration(...args), { preferredCommitSize: AMPLE }),
    })
    const generation = await store.createGeneration(projection.name, projection.version, projection.collections)
    const job = { projection: projection.name, generation, epoch: 1, maxRate: RATE, replaces: null }
    const reached: BuildProgress[] = []
    await buildGeneration({ projection, store, log: new MemoryEventLog(script.records) }, job, new AbortController().signal, (step) =>
      reached.push(step),
    )
    t.ok(
      reached.some(({ phase, position }, i) => phase === 'loading' && position < (reached[i - 1]?.position ?? 0)),
      'something was taken back',
    )
    t.equal(reached.find(({ phase }) => phase === 'indexing')?.position, script.records.length)
  },
)
