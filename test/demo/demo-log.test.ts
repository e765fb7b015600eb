import t from 'tap'
import { DEMO_DEFAULTS, DEMO_END, DEMO_EVENTS, DEMO_START, demoLog } from '../../demo/index.js'
import { EVENT_NAMES, type EventName, type EventOf, type Position, type VitrineEvent } from '../../src/events/index.js'
import type { NewRecord } from '../../src/ports/event-log.js'
import { decode } from '../support/decode.js'

const webUrl = 'http://localhost:3001'
const records: NewRecord[] = [...demoLog({ ...DEMO_DEFAULTS, webUrl })]
const decoded = records.map((record, index) => decode({ appendedAt: 0, ...record, position: (index + 1) as Position }))
const events: VitrineEvent[] = decoded.flatMap((result) => (result.outcome === 'event' ? [result.event] : []))

/** Only the events of one type. */
const all = <N extends EventName>(name: N): EventOf<N>[] =>
  events.filter((event): event is EventOf<N> & VitrineEvent => event.name === name)
const published = all('creation.published')
const repeated = (values: readonly string[]) => {
  const seen = new Set<string>()
  return values.filter((value) => seen.size === seen.add(value).size)
}

t.test('every record is a valid event', async (t) => {
  t.same(
    decoded.filter(({ outcome }) => outcome !== 'event'),
    [],
  )
  t.equal(records.length, DEMO_EVENTS)
  t.equal(published.length, 4_000)
  t.equal(all('creator.registered').length, 400)
})

t.test('every type occurs, and older versions of two', async (t) => {
  const found = new Set(events.map(({ name }) => name))
  t.same(
    EVENT_NAMES.filter((name) => !found.has(name)),
    [],
  )
  const types = new Set(records.map(({ payload }) => (JSON.parse(payload) as { type: string }).type))
  for (const type of ['creation.published.v1', 'creation.published.v2', 'creation.edited.v1', 'creation.edited.v2'])
    t.ok(types.has(type), type)
})

t.test('ids are unique, times never go back, sequences have no gaps', async (t) => {
  t.equal(new Set(records.map(({ id }) => id)).size, records.length)
  let before = DEMO_START
  const sequences = new Map<string, number>()
  const broken: string[] = []
  for (const [index, event] of events.entries()) {
    if (event.time < before || event.time >= DEMO_END) broken.push(`${event.id}: its time`)
    if (records[index]?.appendedAt !== event.time) broken.push(`${event.id}: its append time`)
    if (event.sequence !== (sequences.get(event.aggregate) ?? 0) + 1) broken.push(`${event.id}: its sequence`)
    before = event.time
    sequences.set(event.aggregate, event.sequence)
  }
  t.same(broken, [])
})

t.test('an aggregate begins at its beginning and is silent after its end', async (t) => {
  const begins = new Set(['creator.registered', 'creation.published', 'category.defined'])
  const ended = new Set<string>()
  const broken: string[] = []
  for (const event of events) {
    if ((event.sequence === 1) !== begins.has(event.name) && event.name !== 'category.defined') broken.push(event.id)
    if (ended.has(event.aggregate)) broken.push(event.id)
    if (event.name === 'creation.removed' || event.name === 'creator.removed') ended.add(event.aggregate)
    if (event.name === 'creation.published' && ended.has(`creator/${event.data.creatorId}`)) broken.push(event.id)
  }
  t.same(broken, [])
})

t.test('creations belong to registered people and remix what is already there', async (t) => {
  const people = new Set<string>()
  const depth = new Map<string, number>()
  for (const event of events) {
    if (event.name === 'creator.registered') people.add(event.data.creatorId)
    if (event.name !== 'creation.published') continue
    if (!people.has(event.data.creatorId)) t.fail(`${event.id} has no maker`)
    const { remixOf } = event.data
    const below = remixOf === null ? 0 : depth.get(remixOf)
    if (below === undefined) t.fail(`${event.id} remixes what is not there`)
    depth.set(event.data.creationId, remixOf === null ? 0 : (below ?? 0) + 1)
  }
  t.ok(Math.max(...depth.values()) >= 4, 'chains are several deep')
})

t.test('titles, handles and addresses are unique and look like those of people', async (t) => {
  for (const language of ['en', 'es', 'de', 'ja']) {
    const titles = published.flatMap(({ data }) => data.title[language] ?? [])
    t.ok(titles.length >= 1_000, `${titles.length} titles in ${language}`)
    t.same(repeated(titles), [], language)
  }
  const handles = [...all('creator.registered'), ...all('creator.handle_changed')].map(({ data }) => data.handle.toLowerCase())
  t.same(repeated(handles), [])
  t.same(
    handles.filter((handle) => !/^[a-z]+(-[a-z]+)*$/.test(handle)),
    [],
  )
  const addresses = [...published, ...all('creation.edited')]
  const owner = new Map(published.map(({ data }) => [data.creationId, data.creatorId]))
  t.same(repeated(addresses.flatMap(({ data }) => (data.slug === undefined ? [] : `${owner.get(data.creationId)}/${data.slug}`))), [])
  t.ok(new Set(published.flatMap(({ data }) => data.tags)).size > 100, 'many tags')
})

t.test('no slot of a pattern is left unfilled', async (t) => {
  const texts = published.flatMap(({ data }) => [...Object.values(data.title), ...Object.values(data.description)])
  t.same(
    texts.filter((text) => text === '' || /[{}~|=]|undefined|null|\bde el\b|\ba el\b/.test(text)),
    [],
  )
})

t.test('languages: most speak English and more, some all four, a few no English', async (t) => {
  const count = (test: (languages: string[]) => boolean) => published.filter(({ data }) => test(Object.keys(data.title))).length
  t.ok(count((languages) => languages.length === 4) > 500)
  t.ok(count((languages) => languages.length > 1) > 2_000)
  const withoutEnglish = count((languages) => !languages.includes('en'))
  t.ok(withoutEnglish > 10 && withoutEnglish < 300, `${withoutEnglish} without English`)
  t.same(
    published.filter(({ data }) => Object.keys(data.title).join() !== Object.keys(data.description).join()),
    [],
  )
})

t.test('attention follows a power law and is freshest at the end', async (t) => {
  const tally = (ids: readonly string[]) => {
    const counts = new Map<string, number>()
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
    return [...counts.values()].sort((a, b) => b - a)
  }
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  for (const counts of [
    tally(all('creation.liked').map(({ data }) => data.creationId)),
    tally(all('creation.played').map(({ data }) => data.creationId)),
    tally(all('creator.followed').map(({ data }) => data.creatorId)),
  ]) {
    t.ok(sum(counts.slice(0, Math.ceil(counts.length / 10))) > 0.35 * sum(counts), 'a tenth gets more than a third')
  }
  const born = new Map(published.map(({ data, time }) => [data.creationId as string, time]))
  const ages = all('creation.played').map(({ data, time }) => time - (born.get(data.creationId) ?? 0))
  const within = (from: number, to: number) => ages.filter((age) => age >= from * 86_400_000 && age < to * 86_400_000).length
  t.ok(within(0, 30) > 3 * within(30, 60), 'interest fades')
  const featured = all('creation.featured')
  t.ok(featured.length >= 60 && featured.length <= 140, `${featured.length} featured`)
  t.ok(featured.some(({ data }) => data.spotlight))
})

t.test('no user likes the same creation twice, and about one in a hundred never registered', async (t) => {
  const likes = all('creation.liked').map(({ data }) => data)
  const pairs = new Set(likes.map(({ creationId, userId }) => `${creationId} ${userId}`))
  t.ok(pairs.size > 0.99 * likes.length, `${likes.length - pairs.size} repeated likes`)
  const people = new Set<string>(all('creator.registered').map(({ data }) => data.creatorId))
  const strangers = likes.filter(({ userId }) => !people.has(userId)).length
  t.ok(strangers > 0.003 * likes.length && strangers < 0.03 * likes.length, `${strangers} strangers`)
})

t.test('the same options give the same bytes, another seed another community', async (t) => {
  const options = { creators: 60, creations: 300, webUrl }
  const bytes = (seed: number) => JSON.stringify([...demoLog({ ...options, seed })])
  t.equal(bytes(7), bytes(7))
  t.not(bytes(7), bytes(8))
})

t.test('two logs made side by side do not disturb each other', async (t) => {
  const options = { creators: 20, creations: 50, seed: 3, webUrl }
  const alone = [...demoLog(options)].map(({ payload }) => payload)
  const [one, other] = [demoLog(options), demoLog({ ...options, seed: 4 })]
  const together: string[] = []
  for (let step = one.next(); !step.done; step = one.next()) {
    together.push(step.value.payload)
    other.next()
    other.next()
  }
  t.same(together, alone)
})

t.test('the log is pinned: a change here changes what every demo shows', async (t) => {
  const [first] = demoLog({ creators: 1, creations: 0, seed: 1, webUrl: 'https://vitrine.example/' })
  t.same(first, {
    id: 'category.games.1',
    subject: 'category/games',
    payload:
      '{"specversion":"1.0","id":"category.games.1","source":"/vitrine/demo","type":"category.defined.v1","subject":"category/games",' +
      '"time":"2025-05-02T00:00:00.000Z","sequence":1,"datacontenttype":"application/json","data":{"slug":"games","label":{"en":"Games"},' +
      '"order":0,"coverUrl":"https://vitrine.example/covers/category-games.svg"}}',
    appendedAt: Date.UTC(2025, 4, 2),
  })
})

t.test('sizes at the edge', async (t) => {
  t.equal([...demoLog({ creators: 0, creations: 0, seed: 1, webUrl })].length, 15, 'categories only')
  t.ok([...demoLog({ creators: 1, creations: 40, seed: 1, webUrl })].length > 55, 'one person can make everything')
  t.throws(() => demoLog({ creators: 0, creations: 1, seed: 1, webUrl }).next(), { message: 'creations need at least one creator' })
  t.throws(() => demoLog({ creators: 1.5, creations: 1, seed: 1, webUrl }).next(), { message: 'creators must be a whole number' })
})
