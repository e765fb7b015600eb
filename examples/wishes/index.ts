/** Wish lists. `MODELS=./examples/wishes DATA_DIR=./data/wishes npx vitrine serve --demo` serves them. */
import {
  addTo,
  CreationId,
  CreatorId,
  declared,
  defineModels,
  event,
  first,
  get,
  id,
  idOf,
  latest,
  list,
  person,
  state,
  text,
  total,
  z,
} from 'vitrine'

export const made = event({
  name: 'wish.made',
  summary: 'A person wishes for something like a creation.',
  schema: z.object({ wishId: id, creatorId: CreatorId, creationId: CreationId, note: text(200) }),
  example: { wishId: 'w_1', creatorId: 'u_7', creationId: 'c_81', note: 'The same for the river' },
})

export const granted = event({
  name: 'wish.granted',
  summary: 'A wish came true.',
  schema: z.object({ wishId: id }),
  example: { wishId: 'w_1' },
})

const wisher = state('creator', { wishes: total() }, { name: 'wishers' })

const wish = state(
  'wish',
  { by: first(person), creationId: first(idOf('creation')), note: latest(''), madeAt: first(''), granted: latest(false) },
  { name: 'wishes' },
).index('newest', ['by', 'madeAt'], 'desc')

const wishes = declared({
  name: 'wishes',
  version: 1,
  events: [made, granted],
  keeps: [wish, wisher],
  on: {
    'wish.made': ({ data: { creatorId, creationId, note }, time }) =>
      wish({ by: creatorId, creationId, note, madeAt: new Date(time).toISOString() }),
    'wish.granted': () => wish({ granted: true }),
  },
  views: [
    addTo(wisher, { of: wish, through: 'by', reads: ['granted'], adds: ['wishes'] }, ({ granted }) => (granted ? null : { wishes: 1 })),
  ],
})

const fields = ['note', 'madeAt', 'granted'] as const
export const getWish = get(wish, {
  name: 'get_wish',
  path: '/{wishId}',
  summary: 'A wish',
  fields,
  cards: { creation: 'creationId', by: 'by' },
})
export const listWishes = list(wish, 'newest', {
  name: 'list_wishes',
  path: '/of/{by}',
  summary: 'Wishes of a person, newest first',
  fields,
})
export const countWishes = get(wisher, {
  name: 'count_wishes',
  path: '/of/{by}/open',
  summary: 'How many wishes of a person are open',
  fields: ['wishes'],
})

export default defineModels({
  namespace: 'wishes',
  models: [{ projection: wishes, reads: [getWish, listWishes, countWishes] }],
  demo: ({ creators: [creatorId = ''], creations }) =>
    creations
      .slice(0, 30)
      .map((creationId, i) => ({ name: made.name, data: { wishId: `w_${i + 1}`, creatorId, creationId, note: `Wish ${i + 1}` } })),
})
