import { addTo, declared, defineModels, first, get, idOf, latest, list, person, state, total } from 'vitrine'
import { granted, made } from './events.js'

const wish = state(
  'wish',
  { by: first(person), creationId: first(idOf('creation')), note: latest(''), madeAt: first(''), granted: latest(false) },
  { name: 'wishes' },
).index('newest', ['by', 'madeAt'], 'desc')

const wisher = state('creator', { open: total() }, { name: 'wishers' })

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
  views: [addTo(wisher, { of: wish, through: 'by', reads: ['granted'], adds: ['open'] }, (w) => (w.granted ? null : { open: 1 }))],
})

const fields = ['note', 'madeAt', 'granted'] as const
export const getWish = get(wish, { name: 'get_wish', path: '/{wishId}', summary: 'A wish', fields, cards: { creation: 'creationId' } })
export const listWishes = list(wish, 'newest', { name: 'list_wishes', path: '/of/{by}', summary: 'Wishes, newest first', fields })
export const countWishes = get(wisher, { name: 'count_wishes', path: '/of/{by}/open', summary: 'Open wishes', fields: ['open'] })

export default defineModels({
  namespace: 'wishes',
  models: [{ projection: wishes, reads: [getWish, listWishes, countWishes] }],
  demo: ({ creators: [creatorId], creations: [creationId] }) => [{ name: made.name, data: { ...made.example, creatorId, creationId } }],
})
