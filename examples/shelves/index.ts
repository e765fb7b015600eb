/** Shelves that people keep. README.md serves them. */
import { CreatorId, declared, defineModels, event, first, get, id, latest, person, state, text, z } from 'vitrine'

export const opened = event({
  name: 'shelf.opened',
  summary: 'A person began a shelf.',
  schema: z.object({ shelfId: id, creatorId: CreatorId, title: text(100) }),
  example: { shelfId: 's_1', creatorId: 'u_7', title: 'For rainy days' },
})

const shelf = state('shelf', { creatorId: first(person), title: latest('') }, { name: 'shelves' })

const shelves = declared({
  name: 'shelves',
  version: 1,
  events: [opened],
  keeps: [shelf],
  on: { 'shelf.opened': ({ data: { creatorId, title } }) => shelf({ creatorId, title }) },
})

export const getShelf = get(shelf, {
  name: 'get_shelf',
  path: '/{shelfId}',
  summary: 'A shelf',
  fields: ['title'],
  notFound: 'No shelf has this id',
})

export default defineModels({
  namespace: 'shelves',
  models: [{ projection: shelves, reads: [getShelf] }],
  demo: ({ creators: [creatorId = ''] }) => [{ name: opened.name, data: { ...opened.example, creatorId } }],
})
