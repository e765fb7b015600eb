import t from 'tap'
import { z } from 'zod'
import { fieldGroup } from '../../readmodels/collection.js'
import type { Position } from '../../src/events/index.js'
import {
  checkpointFingerprint,
  documentTag,
  InvalidationLogWriter,
  indexTag,
  parseInvalidationLog,
  tagsOfCommit,
} from '../../src/invalidation/invalidation-log.js'
import { RecentChanges } from '../../src/invalidation/recent-changes.js'
import type { Checkpoint, Collection, Doc, Write } from '../../src/ports/document-store.js'

interface Book extends Doc {
  shelf: string | null
  price: number
  tags: string[]
}

const PLACE_FIELDS = ['shelf'] as const

const books: Collection<Book> = {
  name: 'books',
  schema: z.object({ _id: z.string(), shelf: z.string().nullable(), price: z.number(), tags: z.array(z.string()) }),
  indexes: [
    { name: 'lent', fields: ['shelf'], use: 'fold' },
    { name: 'onShelf', fields: ['shelf', 'price'], use: 'query' },
    { name: 'tagged', fields: ['tags', 'price'], each: 'tags', use: 'query' },
  ],
  fieldGroups: { place: PLACE_FIELDS },
}
const places = fieldGroup(books, 'place', PLACE_FIELDS)

const write = (before: Partial<Book> | undefined, after: Partial<Book> | undefined): Write => {
  const book = (fields: Partial<Book> | undefined) =>
    fields === undefined ? undefined : { _id: 'a', shelf: 'x', price: 1, tags: ['t'], ...fields }
  return { collection: books, id: 'a', before: book(before), after: book(after) }
}

const READS = {
  document: documentTag(books, 'a'),
  another: documentTag(books, 'b'),
  place: documentTag(places, 'a'),
  shelf: indexTag(books, { index: 'onShelf', equals: ['x'] }),
  price: indexTag(books, { index: 'onShelf', equals: ['x', 1] }),
  otherShelf: indexTag(books, { index: 'onShelf', equals: ['y'] }),
  shelves: indexTag(books, { index: 'onShelf', equals: [], startsWith: 'x' }),
  tag: indexTag(books, { index: 'tagged', equals: ['t'] }),
  otherTag: indexTag(books, { index: 'tagged', equals: ['u'] }),
  byId: indexTag(books, { index: '_id', equals: [] }),
  lent: indexTag(books, { index: 'lent', equals: ['x'] }),
}

await t.test('a write leaves the cache tags of all reads that it changes', async (t) => {
  const touched = (...writes: Write[]) => {
    const tags = tagsOfCommit(writes)
    return Object.entries(READS).flatMap(([name, tag]) => (tags.has(tag) ? [name] : []))
  }
  const all = ['document', 'place', 'shelf', 'price', 'shelves', 'tag', 'byId', 'lent']
  t.strictSame(touched(write(undefined, {})), all, 'a new document')
  t.strictSame(touched(write({}, undefined)), all, 'one that is gone')
  t.strictSame(touched(write({}, { price: 2 })), ['document', 'shelf', 'price', 'shelves', 'tag', 'byId', 'lent'], 'another price')
  t.strictSame(touched(write({}, { tags: ['t', 'u'] })), ['document', 'tag', 'otherTag', 'byId', 'lent'], 'one tag more')
  t.strictSame(
    touched(write({}, { shelf: 'y' })),
    ['document', 'place', 'shelf', 'price', 'otherShelf', 'shelves', 'byId', 'lent'],
    'moved',
  )
  t.strictSame(touched(write({}, { shelf: null })), ['document', 'place', 'shelf', 'price', 'shelves', 'byId', 'lent'], 'taken away')
})

const at = (position: number, rest: Partial<Checkpoint> = {}): Checkpoint => ({
  position: position as Position,
  eventId: `e${position}`,
  slice: null,
  epoch: 1,
  tallies: { applied: position, skipped: 1 },
  floor: 0 as Position,
  ...rest,
})

await t.test('a checkpoint fingerprint is the same for the same checkpoint, and for no other', async (t) => {
  const { floor, tallies, ...rest } = at(3)
  t.equal(checkpointFingerprint({ floor, tallies: { skipped: 1, applied: 3 }, ...rest }), checkpointFingerprint(at(3)), 'in any order')
  const others: Partial<Checkpoint>[] = [
    { epoch: 2 },
    { eventId: null },
    { slice: { step: 0, afterId: null } },
    { tallies: { repaired: 1 } },
  ]
  t.equal(new Set([at(3), at(4), ...others.map((other) => at(3, other))].map(checkpointFingerprint)).size, 6)
})

await t.test('the invalidation log lists the tags of the latest commits', async (t) => {
  let now = 0
  const writer = new InvalidationLogWriter(() => now)
  const first = parseInvalidationLog(writer.append(at(1), at(2), [write({}, { price: 2 })]) ?? '')
  t.equal(first.to, checkpointFingerprint(at(2)))
  t.strictSame(
    first.entries.map(({ from, tags }) => [from, tags()]),
    [[checkpointFingerprint(at(1)), Uint32Array.from(tagsOfCommit([write({}, { price: 2 })]))]],
  )
  const second = parseInvalidationLog(writer.append(at(2), at(3), []) ?? '')
  t.strictSame(
    second.entries.map(({ from }) => from),
    [checkpointFingerprint(at(1)), checkpointFingerprint(at(2))],
  )
  const gap = parseInvalidationLog(writer.append(at(4), at(5), []) ?? '')
  t.strictSame(
    gap.entries.map(({ from }) => from),
    [checkpointFingerprint(at(4))],
    'and begins anew where one of them is not known',
  )
  const many = Array.from({ length: 501 }, (_, i) => ({ ...write(undefined, {}), id: `b${i}` }))
  t.equal(writer.append(at(5), at(6), many), undefined, 'too much to tell')
  t.equal(parseInvalidationLog(writer.append(at(6), at(7), []) ?? '').entries.length, 1)
  let longest = 0
  for (let i = 7; i < 100; i++, now += 250) longest = Math.max(longest, writer.append(at(i), at(i + 1), many.slice(0, 100))?.length ?? 0)
  t.ok(longest > 1000 && longest < 5000, `${longest} characters at most`)
  for (let i = 100; i < 200; i++, now += 10) {
    const log = writer.append(at(i), at(i + 1), many.slice(0, 40)) ?? ''
    longest = Math.max(longest, log.length)
    if (i >= 120) t.equal(parseInvalidationLog(log).entries.length, 21, 'those of the last 200 ms')
  }
  for (let i = 200; i < 300; i++) longest = Math.max(longest, writer.append(at(i), at(i + 1), many.slice(0, 100))?.length ?? 0)
  t.ok(longest > 30_000 && longest < 36_000, `${longest} characters at most where commits follow each other`)
  now += 250
  const busy = many.slice(0, 500)
  const alone = parseInvalidationLog(writer.append(at(300), at(301), busy) ?? '')
  t.strictSame(
    alone.entries.map(({ tags }) => tags().length),
    [tagsOfCommit(busy).size],
    'one busy commit is told whole, alone',
  )
})

await t.test('what was touched is known from the moment on that one has read at', async (t) => {
  const numbers = (...list: number[]) => Uint32Array.from(list)
  const tags =
    (...list: number[]) =>
    () =>
      numbers(...list)
  const changes = new RecentChanges(4)
  changes.record('books', undefined, 's1', null, 1)
  t.equal(changes.changeAt('books', 's1'), 1)
  changes.record(
    'books',
    's1',
    's3',
    {
      to: 's3',
      entries: [
        { from: 's0', tags: tags(9) },
        { from: 's1', tags: tags(1) },
        { from: 's2', tags: tags(2) },
      ],
    },
    2,
  )
  t.strictSame(
    ['s1', 's2', 's3', 's4'].map((fingerprint) => changes.changeAt('books', fingerprint)),
    [1, 1, 2, undefined],
  )
  t.strictSame(
    [1, 2, 3, 9].map((tag) => changes.mayHaveChangedAfter(1, ['books'], numbers(tag))),
    [true, true, false, false],
  )
  t.equal(changes.mayHaveChangedAfter(2, ['books'], numbers(1, 2)), false)
  t.equal(changes.mayHaveChangedAfter(1, ['loans'], numbers(3)), true, 'nothing is known of another model')
  changes.record('books', 's3', 's5', { to: 's4', entries: [{ from: 's3', tags: tags() }] }, 3)
  t.equal(changes.mayHaveChangedAfter(2, ['books'], numbers(3)), true, 'a log that ends at another checkpoint says nothing')
  t.equal(changes.mayHaveChangedAfter(3, ['books'], numbers(1)), false)
  changes.record('books', 's5', 's6', { to: 's6', entries: [{ from: 's5', tags: tags(4, 5, 6) }] }, 4)
  t.equal(changes.mayHaveChangedAfter(1, ['books'], numbers(3)), true, 'what is too long ago is no longer known')
  t.equal(changes.mayHaveChangedAfter(3, ['books'], numbers(3)), false)
})
