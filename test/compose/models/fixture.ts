import { defineModels, type OwnModel, type OwnModels, type Read, read } from '../../../src/compose/models/define-models.js'
import { builtInEvents, type OwnEvent } from '../../../src/events/index.js'
import { CreatorId, declared, event, first, id, latest, person, state, text, z } from '../../../src/index.js'

export const planted = event({
  name: 'bed.planted',
  summary: 'A bed was planted.',
  schema: z.object({ bedId: id, creatorId: CreatorId, title: text(100) }),
  example: { bedId: 'b_1', creatorId: 'u_1', title: 'Roses' },
})

export const renamed = event({
  name: 'bed.renamed',
  summary: 'A bed has another name.',
  schema: z.object({ bedId: id, title: text(100) }),
  example: { bedId: 'b_1', title: 'Lilies' },
})

export const bed = state('bed', { creatorId: first(person), title: latest('') }, { name: 'beds' }).index('byTitle', ['title'])

export const gardens = declared({
  name: 'gardens',
  version: 1,
  events: [planted, renamed],
  keeps: [bed],
  on: {
    'bed.planted': ({ data: { creatorId, title } }) => bed({ creatorId, title }),
    'bed.renamed': ({ data: { title } }) => bed({ title }),
  },
})

export const getBed = read({
  name: 'get_bed',
  path: '/beds/{bedId}',
  summary: 'A bed',
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
export function gardening({ namespace = 'gardens', events = [planted, renamed], model = {}, read = {} }: Changes = {}): OwnModels {
  const projection = { ...gardens, ownEvents: events, events: builtInEvents.with(events) }
  return defineModels({ namespace, models: [{ projection, reads: [{ ...getBed, ...read }], ...model }] })
}
