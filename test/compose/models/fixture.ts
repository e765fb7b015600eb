import { defineModels, type OwnModel, type OwnModels, type Read, read } from '../../../src/compose/models/define-models.js'
import { projection, stateIn } from '../../../src/engine/definition/projection.js'
import { event, type OwnEvent } from '../../../src/events/index.js'
import { collection, living, Tombstone, tombstone, z } from '../../../src/index.js'

const Living = z.discriminatedUnion('removed', [z.object({ ...living, creatorId: z.string(), title: z.string() }), Tombstone])

export const beds = collection({ name: 'beds', schema: Living, indexes: [], shows: ['creatorId'] })
export const gardeners = collection({ name: 'gardeners', schema: Living, indexes: [], shows: [] })

export const planted = event({
  name: 'bed.planted',
  summary: 'A bed was planted.',
  key: 'bedId',
  schema: z.object({ bedId: z.string(), creatorId: z.string(), title: z.string() }),
  people: ['creatorId'],
  redact: ({ bedId, creatorId }) => ({ bedId, creatorId, title: '' }),
  example: { bedId: 'b_1', creatorId: 'u_1', title: 'Roses' },
})

export const renamed = event({
  name: 'bed.renamed',
  summary: 'A bed has another name.',
  key: 'bedId',
  schema: z.object({ bedId: z.string(), title: z.string() }),
  people: { sameAs: 'bed.planted' },
  redact: ({ bedId }) => ({ bedId, title: '' }),
  example: { bedId: 'b_1', title: 'Lilies' },
})

const blank = (_id: string) => ({ _id, seq: 0, removed: false as const, creatorId: '', title: '' })

export const gardens = projection({
  name: 'gardens',
  version: 1,
  events: [planted, renamed],
  collections: [beds, gardeners],
  state: { bed: stateIn(beds, blank), creator: stateIn(gardeners, blank) },
  on: {
    'bed.planted': { apply: ({ key, sequence, data }, docs) => docs.put(beds, { ...blank(key), seq: sequence, ...data }) },
    'creator.removed': { apply: ({ key, sequence }, docs) => docs.put(gardeners, tombstone(key, sequence)) },
  },
})

export const getBed = read({
  name: 'get_bed',
  path: '/beds/{bedId}',
  summary: 'A bed',
  description: 'A bed.',
  input: z.object({ bedId: z.string() }),
  output: z.object({ title: z.string() }),
  example: { input: { bedId: 'b_1' }, output: { title: 'Roses' } },
  run: async () => ({ title: '' }),
})

interface Changes {
  namespace?: string
  events?: readonly OwnEvent[]
  model?: Partial<OwnModel>
  read?: Partial<Read>
}

/** Models that keep every rule, or break the ones that are changed. */
export const gardening = ({ namespace = 'gardens', events = [planted, renamed], model = {}, read = {} }: Changes = {}): OwnModels =>
  defineModels({ namespace, events, models: [{ projection: gardens, reads: [{ ...getBed, ...read }], ...model }] })
