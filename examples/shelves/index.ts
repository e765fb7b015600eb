/** Shelves that people keep. `MODELS=./examples/shelves DATA_DIR=./data/shelves npx vitrine serve --demo` serves them. */
import { collection, defineModels, event, living, notFound, projection, read, ref, stateIn, sweep, Tombstone, tombstone, z } from 'vitrine'

const id = z.string().regex(/^[\w-]{1,64}$/)
export const opened = event({
  name: 'shelf.opened',
  summary: 'Somebody began a shelf.',
  key: 'shelfId',
  schema: z.object({ shelfId: id, creatorId: id, title: z.string().min(1).max(100) }),
  people: ['creatorId'],
  redact: (data) => ({ ...data, title: 'redacted' }),
  example: { shelfId: 's_1', creatorId: 'u_7', title: 'For rainy days' },
})

const Shelf = z.discriminatedUnion('removed', [z.object({ ...living, creatorId: z.string(), title: z.string() }), Tombstone])
const byCreator = { name: 'byCreator', fields: ['creatorId'], use: 'fold' } as const
const shelves = collection({ name: 'shelves', schema: Shelf, indexes: [byCreator], shows: ['creatorId'] })
const ofCreator = ({ key }: { key: string }) => ({ index: 'byCreator', equals: [key] })

const Owner = z.discriminatedUnion('removed', [z.object(living), Tombstone])
const owners = collection({ name: 'owners', schema: Owner, indexes: [], shows: [] })

export const shelvesProjection = projection({
  name: 'shelves',
  version: 1,
  events: [opened],
  collections: [shelves, owners],
  state: {
    shelf: stateIn(shelves, (_id) => ({ _id, seq: 0, removed: false, creatorId: '', title: '' })),
    creator: stateIn(owners, (_id) => ({ _id, seq: 0, removed: false })),
  },
  on: {
    'shelf.opened': {
      touches: ({ data }) => [ref(owners, data.creatorId)],
      apply: ({ key: _id, sequence: seq, data: { creatorId, title } }, docs) =>
        docs.put(shelves, docs.get(owners, creatorId)?.removed ? tombstone(_id, seq) : { _id, seq, removed: false, creatorId, title }),
    },
    'creator.removed': {
      apply: ({ key, sequence }, docs) => docs.put(owners, tombstone(key, sequence)),
      fanOut: [sweep(shelves, { where: ofCreator, each: (_, { _id, seq }, docs) => docs.put(shelves, tombstone(_id, seq)) })],
    },
  },
})

const getShelf = read({
  name: 'get_shelf',
  path: '/{shelfId}',
  summary: 'A shelf',
  description: 'The title of a shelf.',
  input: z.object({ shelfId: id.meta({ description: 'Id of the shelf.' }) }),
  output: z.object({ title: z.string() }),
  notFound: 'No shelf has this id',
  example: { input: { shelfId: 's_1' }, output: { title: 'For rainy days' } },
  async run({ model }, { shelfId }) {
    const [shelf] = await model('shelves').get(shelves, [shelfId])
    if (shelf === undefined || shelf.removed) throw notFound('No shelf has this id.')
    return { title: shelf.title }
  },
})

export default defineModels({
  namespace: 'shelves',
  events: [opened],
  models: [{ projection: shelvesProjection, reads: [getShelf] }],
  demo: ({ creators: [creatorId = ''] }) => [{ name: opened.name, data: { ...opened.example, creatorId } }],
})
