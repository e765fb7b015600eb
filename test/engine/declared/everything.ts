/** A model with every kind of register, edge, join, derived field and view at once. It means nothing. */
import { z } from 'zod'
import { collection } from '../../../readmodels/collection.js'
import {
  achieved,
  addTo,
  best,
  claimed,
  countBy,
  declared,
  edge,
  first,
  type Group,
  idOf,
  latest,
  max,
  min,
  own,
  person,
  show,
  state,
  sum,
  total,
} from '../../../src/engine/declared/index.js'

const Counted = z.object({ _id: z.string(), count: z.number().positive() })
export const words = collection({ name: 'words', schema: Counted, indexes: [] })
export const distinct = collection({ name: 'distinct', schema: Counted, indexes: [] })
export const famous = collection({ name: 'famous', schema: Counted, indexes: [] })
export const cards = collection({ name: 'cards', schema: z.object({ _id: z.string(), text: z.string() }), indexes: [], shows: ['_id'] })

/** Two numbers in one text, to show that a group need not be one of numbers. */
const pair: Group<string, readonly [number, number]> = {
  schema: z.string(),
  zero: '0 0',
  none: [0, 0],
  add: (stored, [a, b]) => {
    const [x = 0, y = 0] = stored.split(' ').map(Number)
    return `${x + a} ${y + b}`
  },
  minus: ([a, b], [c, d]) => [a - c, b - d],
}

export const fan = state(
  'creator',
  {
    name: latest(''),
    nameAt: claimed('name'),
    firstName: first(''),
    newest: max(0),
    oldest: min(Number.MAX_SAFE_INTEGER),
    oldestAt: achieved('oldest'),
    made: total(),
    things: total(),
    fans: total(),
    given: total(),
  },
  { name: 'fans' },
).derive('loud', z.string(), ['name'], ({ name }) => name.toUpperCase())

export const thing = state(
  'creation',
  {
    by: first(person.countedIn('things')),
    editor: latest(person),
    from: latest(idOf('creation').countedIn('uses')),
    title: latest(z.record(z.string(), z.string()), {}),
    on: latest(false),
    // Two that neither beats the other, so that the text decides.
    longest: best(z.string(), (a, b) => a.length > b.length),
    plays: sum(),
    both: sum(pair),
    hearts: total(),
    copies: total(),
    uses: total(),
    heartsOfCopies: total(),
  },
  { name: 'things' },
)
  .join('maker', fan.of('by', ['loud', 'firstName']))
  .derive('label', z.string(), ['on', 'maker'], ({ on, maker }) => (on ? maker.loud : ''))
  .join('source', (self) =>
    self.of('from', ['label', 'title'], z.string(), ({ label, title }) => `${label} ${Object.values(title).join()}`),
  )

export const heart = edge(
  'creation',
  'hearts',
  { thing: own, user: person },
  { on: latest(false), top: best(z.number(), (a, b) => a > b), topAt: achieved('top'), begun: first(0) },
).derive('warm', z.boolean(), ['on', 'top'], ({ on, top }) => on && (top ?? 0) > 0)

export const everything = declared({
  name: 'everything',
  version: 1,
  keeps: [fan, thing, heart],
  on: {
    'creator.registered': ({ data, time }) => fan({ name: data.displayName, firstName: data.displayName, newest: time, oldest: time }),
    'creator.profile_changed': ({ data, time }) => fan({ name: data.displayName, firstName: data.displayName, newest: time, oldest: time }),
    'creation.published': ({ data }) =>
      thing({ by: data.creatorId, from: data.remixOf, title: data.title, on: true, longest: Object.values(data.title).join() }),
    'creation.edited': ({ data }) => thing({ title: data.title, longest: data.title && Object.values(data.title).join() }),
    'creation.unpublished': () => thing({ on: false }),
    'creation.republished': () => thing({ on: true }),
    'creation.played': ({ data }) => thing({ plays: 1, both: [1, data.seconds] }),
    'creation.liked': ({ data, time }) => [heart(data.userId, { on: true, begun: time }), thing({ plays: 2, editor: data.userId })],
    'creation.unliked': ({ data }) => heart(data.userId, { on: false }),
    'creation.scored': ({ data }) => heart(data.userId, { top: data.score }),
  },
  views: [
    countBy(thing, ['on', 'maker', 'source'], ({ on, maker, source }) => (on ? [maker.loud, source, 'all', 'all'] : []), {
      into: words,
      doc: (_key, count) => ({ count }),
      distinct,
    }),
    countBy(fan, ['fans', 'given'], ({ fans, given }) => (fans > 0 ? ['liked'] : given > 0 ? ['likes'] : []), {
      into: famous,
      doc: (_key, count) => ({ count }),
    }),
    show(thing, ['title', 'source', 'hearts'], cards, ({ title, source, hearts }) =>
      hearts === 0 ? null : { text: `${source} ${JSON.stringify(title)}` },
    ),
    // Sums that feed sums, also through the same collection: likes, likes of remixes, and those of all that somebody made.
    addTo(thing, { of: heart, through: 'thing', reads: ['on', 'warm'], adds: ['hearts', 'both'] }, ({ on, warm }) =>
      on ? { hearts: 1, both: [0, warm ? 1 : 0] as const } : null,
    ),
    addTo(fan, { of: heart, through: 'user', reads: ['on', 'top'], adds: ['given'] }, ({ on, top }) => ({
      given: on ? 1 + (top ?? 0) : 0,
    })),
    addTo(thing, { of: thing, through: 'from', reads: ['hearts'], adds: ['copies', 'heartsOfCopies'] }, ({ hearts }) => ({
      copies: 1,
      heartsOfCopies: hearts,
    })),
    addTo(fan, { of: thing, through: 'by', reads: ['plays', 'heartsOfCopies', 'label'], adds: ['made', 'fans'] }, (made) => ({
      made: made.plays,
      fans: made.label === '' ? 0 : made.heartsOfCopies,
    })),
  ],
})
