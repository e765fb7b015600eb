/** What would depend on the order of events, or outlive an erasure, is refused when it is declared. */
import t from 'tap'
import { z } from 'zod'
import { collection } from '../../../readmodels/collection.js'
import {
  addTo,
  claimed,
  countBy,
  counts,
  declared,
  edge,
  first,
  idOf,
  latest,
  own,
  person,
  show,
  state,
  sum,
  total,
} from '../../../src/engine/declared/index.js'
import { event, id } from '../../../src/events/index.js'

type Declaration = Parameters<typeof declared<never>>[0]

const declare = (parts: Partial<Declaration>) => () => declared({ name: 'odd', version: 1, keeps: [], on: {}, ...parts })

const creator = state('creator', { name: latest(''), made: sum() })
const creation = state('creation', { from: latest(idOf('creation')), on: latest(false), up: sum(), down: sum() })
const counted = collection({ name: 'counted', schema: z.object({ _id: z.string(), count: z.number() }), indexes: [] })
const into = { into: counted, doc: (_key: string, count: number) => ({ count }) }
const card = z.object({ _id: z.string(), text: z.string() })

t.test('a cycle of sums, also across documents', async (t) => {
  const through = { of: creation, through: 'from' as const }
  const up = addTo(creation, { ...through, reads: ['down'], adds: ['up'] }, ({ down }) => ({ up: down }))
  const down = addTo(creation, { ...through, reads: ['up'], adds: ['down'] }, (c) => ({ down: c.up }))
  const message = 'odd: sums must not depend on themselves: creation.up → creation.down → creation.up'
  t.throws(declare({ keeps: [creation], views: [up, down] }), { message })
  t.doesNotThrow(declare({ keeps: [creation], views: [up] }))
  const itself = addTo(creation, { ...through, reads: ['up'], adds: ['up'] }, (c) => ({ up: c.up }))
  t.throws(declare({ keeps: [creation], views: [itself] }), /creation\.up → creation\.up/)
  const hidden = creation.derive('twice', z.number(), ['up'], (c) => c.up * 2)
  const derived = addTo(hidden, { of: hidden, through: 'from', reads: ['twice'], adds: ['up'] }, ({ twice }) => ({ up: twice }))
  t.throws(declare({ keeps: [hidden], views: [derived] }), /creation\.up → creation\.up/, 'behind a derived field')
})

t.test('an index on what may be a list or not', async (t) => {
  const tagged = state('creation', { tags: latest(z.array(z.string())), words: latest(z.array(z.string()), []), on: latest('') })
  const message = /the index "byTag" needs one value in "tags", or a list of values that is never null, and no other list/
  t.throws(() => tagged.index('byTag', ['on', 'tags']), message)
  const shown = tagged.derive('shown', z.union([z.number(), z.literal('none')]).nullable(), ['on'], () => null)
  t.doesNotThrow(() => shown.index('byWord', ['words', 'on', 'shown']))
  const twice = tagged.derive('letters', z.array(z.string()), ['on'], ({ on }) => [...on])
  t.throws(() => twice.index('both', ['words', 'letters']), /the index "both" needs one value in "letters"/)
  t.throws(() => counts('counted', { any: z.unknown() }).index('byAny', ['any']), /needs one value in "any"/)
})

t.test('references that are counted where something else counts', async (t) => {
  const counting = (name: string) => state('creation', { from: latest(idOf('creation').countedIn(name)), on: latest(false), up: total() })
  const source = counting('up')
  t.doesNotThrow(declare({ keeps: [source] }))
  t.throws(declare({ keeps: [counting('on')] }), {
    message: 'odd: creation.from is counted in "on", which is no total of a creation that is kept',
  })
  t.throws(declare({ keeps: [state('creation', { by: latest(person.countedIn('made')) })] }), /no total of a creator that is kept/)
  const view = addTo(source, { of: source, through: 'from', reads: ['on'], adds: ['up'] }, () => ({ up: -1 }))
  t.throws(declare({ keeps: [source], views: [view] }), /counted in "up", which a view adds to as well/)
  t.throws(() => edge('creation', 'likes', { of: own, by: person.countedIn('made') }, {}), /ends of edges are counted by a view/)
})

t.test('joins that a fan-out cannot follow', async (t) => {
  const far = state('category', { of: latest(idOf('creation')) })
  const first_ = creation.join('before', (self) => self.of('from', ['on']))
  const second = first_.join('twoBefore', (self) => self.of('from', ['before']))
  const third = second.join('threeBefore', (self) => self.of('from', ['twoBefore']))
  t.doesNotThrow(declare({ keeps: [second] }))
  t.throws(declare({ keeps: [third] }), /creation\.threeBefore joins what joins/)
  const owned = state('creation', { by: first(person), from: latest(idOf('creation')), on: latest(false) })
    .join('before', (self) => self.of('from', ['on']))
    .join('twoBefore', (self) => self.of('from', ['before']))
  t.throws(declare({ keeps: [owned] }), /creation\.twoBefore joins what joins something else or belongs to a person/)
  const sums = far.join('ups', creation.of('of', ['up']))
  const adding = addTo(creation, { of: creation, through: 'from', reads: ['on'], adds: ['up'] }, ({ on }) => (on ? { up: 1 } : null))
  t.throws(declare({ keeps: [sums, creation], views: [adding] }), /category\.ups reads "up" of creation, which a view adds to/)
  t.throws(declare({ keeps: [sums] }), /"creation" is not kept: add it to "keeps"/)
})

t.test('a view that shows what is not known', async (t) => {
  t.throws(
    declare({ keeps: [creation], views: [countBy(creation, ['on'], ({ on }) => (on ? ['on'] : ['off']), into)] }),
    /countBy creation into counted must show nothing of a document of which nothing is known/,
  )
  const cards = collection({ name: 'cards', schema: card, indexes: [], shows: [] })
  t.throws(
    declare({ keeps: [creator], views: [show(creator, ['name'], cards, ({ name }) => ({ text: name }))] }),
    /show creator into cards/,
  )
  const silent = collection({ name: 'cards', schema: card, indexes: [] })
  const shown = show(creator, ['name'], silent, ({ name }) => (name === '' ? null : { text: name }))
  t.throws(declare({ keeps: [creator], views: [shown] }), /"cards" must say whose words it shows/)
})

t.test('fields that nothing keeps right', async (t) => {
  const like = (registers: Parameters<typeof edge>[3]) => edge('creation', 'likes', { creation: own, user: person }, registers)
  t.throws(declare({ keeps: [creation, like({ plays: sum() })] }), /likes: events cannot add to "plays" of an edge/)
  t.throws(
    declare({ keeps: [creation, like({ user: latest('') })] }),
    /likes: "user" is a field that the engine keeps: choose another name/,
  )
  t.throws(declare({ keeps: [like({})] }), /keeps no state of a creation: add state\('creation', …\) to "keeps"/)
  t.throws(declare({ keeps: [state('creator', { invitedBy: first(person) })] }), /"invitedBy" cannot own a creator/)
  t.throws(declare({ keeps: [state('creation', { at: claimed('name') })] }), /"at" dates "name", which no event sets/)
  t.throws(() => Reflect.apply(idOf, null, ['creator']), /a creator is a person/)
  t.throws(() => creation.derive('on', z.boolean(), [], () => true), /creation has two fields "on"/)
  t.throws(() => edge('creation', 'likes', { a: person, b: person }, {}), /an edge has two ends, and one of them is its own/)
})

t.test('words that need not be said, or that nothing listens to', async (t) => {
  t.throws(declare({ keeps: [creation], on: { 'creation.removed': () => creation.removed() } }), /creation\.removed needs no word/)
  t.throws(declare({ keeps: [creation], on: { 'creator.registered': () => null } }), /keeps no state of a creator/)
})

t.test('what types would refuse, in models that are only stripped of them', async (t) => {
  const untyped = Reflect.apply(countBy, null, [creation, ['onn'], () => [], into])
  t.throws(declare({ keeps: [creation], views: [untyped] }), /creation has no field "onn"/)
  const wrong = Reflect.apply(addTo, null, [creation, { of: creation, through: 'on', reads: [], adds: ['up'] }, () => null])
  t.throws(declare({ keeps: [creation], views: [wrong] }), /"on" does not refer to a creation/)
  const other = Reflect.apply(addTo, null, [creation, { of: creation, through: 'from', reads: [], adds: ['on'] }, () => null])
  t.throws(declare({ keeps: [creation], views: [other] }), /"on" is neither a sum nor a total/)
})

t.test('two of a name', async (t) => {
  const other = state('category', { up: total() }, { name: 'creation' })
  const view = addTo(creation, { of: creation, through: 'from', reads: ['up'], adds: ['down'] }, ({ up }) => ({ down: up }))
  t.throws(declare({ keeps: [creation, other], views: [view] }), {
    message: 'odd: two states or edges are called "creation": give one of them another name',
  })
  const planted = event({ name: 'bed.planted', summary: '', schema: z.object({ bedId: id }), example: { bedId: 'b_1' } })
  t.throws(() => Reflect.apply(declared, null, [{ name: 'odd', version: 1, keeps: [], on: {}, events: [planted, planted] }]), {
    message: 'odd: two of its events are called "bed.planted"',
  })
})
