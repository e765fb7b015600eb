import t from 'tap'
import { z } from 'zod'
import type { Position } from '../../src/events/index.js'
import { documentMark, entriesMark, marksOf } from '../../src/invalidation/cache-tags.js'
import { readTrail, TrailWriter } from '../../src/invalidation/invalidation-log.js'
import { Touches } from '../../src/invalidation/recent-changes.js'
import { stampOf } from '../../src/invalidation/stamp.js'
import type { Checkpoint, Collection, Doc, Write } from '../../src/ports/document-store.js'

interface Book extends Doc {
  shelf: string | null
  price: number
  tags: string[]
}

const books: Collection<Book> = {
  name: 'books',
  schema: z.object({ _id: z.string(), shelf: z.string().nullable(), price: z.number(), tags: z.array(z.string()) }),
  indexes: [
    { name: 'lent', fields: ['shelf'], use: 'fold' },
    { name: 'onShelf', fields: ['shelf', 'price'], use: 'query' },
    { name: 'tagged', fields: ['tags', 'price'], each: 'tags', use: 'query' },
  ],
  parts: { place: ['shelf'] },
}
const places = { ...books, part: 'place' }

const write = (before: Partial<Book> | undefined, after: Partial<Book> | undefined): Write => {
  const book = (fields: Partial<Book> | undefined) =>
    fields === undefined ? undefined : { _id: 'a', shelf: 'x', price: 1, tags: ['t'], ...fields }
  return { collection: books, id: 'a', before: book(before), after: book(after) }
}

const READS = {
  document: documentMark(books, 'a'),
  another: documentMark(books, 'b'),
  place: documentMark(places, 'a'),
  shelf: entriesMark(books, { index: 'onShelf', equals: ['x'] }),
  price: entriesMark(books, { index: 'onShelf', equals: ['x', 1] }),
  otherShelf: entriesMark(books, { index: 'onShelf', equals: ['y'] }),
  shelves: entriesMark(books, { index: 'onShelf', equals: [], startsWith: 'x' }),
  tag: entriesMark(books, { index: 'tagged', equals: ['t'] }),
  otherTag: entriesMark(books, { index: 'tagged', equals: ['u'] }),
  byId: entriesMark(books, { index: '_id', equals: [] }),
  lent: entriesMark(books, { index: 'lent', equals: ['x'] }),
}

await t.test('writing leaves the marks of all readings that it changes', async (t) => {
  const touched = (...writes: Write[]) => {
    const marks = marksOf(writes)
    return Object.entries(READS).flatMap(([name, mark]) => (marks.has(mark) ? [name] : []))
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
  t.strictSame([...marksOf([], [{ collection: books, id: 'a' }])].includes(READS.place), true, 'what may be written counts as written')
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

await t.test('a stamp is the same for the same checkpoint, and for no other', async (t) => {
  const { floor, tallies, ...rest } = at(3)
  t.equal(stampOf({ floor, tallies: { skipped: 1, applied: 3 }, ...rest }), stampOf(at(3)), 'in whatever order')
  const others: Partial<Checkpoint>[] = [
    { epoch: 2 },
    { eventId: null },
    { slice: { step: 0, afterId: null } },
    { tallies: { repaired: 1 } },
  ]
  t.equal(new Set([at(3), at(4), ...others.map((other) => at(3, other))].map(stampOf)).size, 6)
})

await t.test('a trail leads through the latest commits', async (t) => {
  const writer = new TrailWriter()
  const first = readTrail(writer.after(at(1), at(2), [write({}, { price: 2 })]) ?? '')
  t.equal(first.to, stampOf(at(2)))
  t.strictSame(
    first.steps.map(({ from, marks }) => [from, marks()]),
    [[stampOf(at(1)), Uint32Array.from(marksOf([write({}, { price: 2 })]))]],
  )
  const second = readTrail(writer.after(at(2), at(3), []) ?? '')
  t.strictSame(
    second.steps.map(({ from }) => from),
    [stampOf(at(1)), stampOf(at(2))],
  )
  const gap = readTrail(writer.after(at(4), at(5), []) ?? '')
  t.strictSame(
    gap.steps.map(({ from }) => from),
    [stampOf(at(4))],
    'and begins anew where one of them is not known',
  )
  const many = Array.from({ length: 501 }, (_, i) => ({ ...write(undefined, {}), id: `b${i}` }))
  t.equal(writer.after(at(5), at(6), many), undefined, 'too much to tell')
  t.equal(readTrail(writer.after(at(6), at(7), []) ?? '').steps.length, 1)
  let longest = 0
  for (let i = 7; i < 200; i++) longest = Math.max(longest, writer.after(at(i), at(i + 1), many.slice(0, 100))?.length ?? 0)
  t.ok(longest > 1000 && longest < 5000, `${longest} characters at most`)
  const busy = many.slice(0, 500)
  const alone = readTrail(writer.after(at(200), at(201), busy) ?? '')
  t.strictSame(
    alone.steps.map(({ marks }) => marks().length),
    [marksOf(busy).size],
    'one busy commit is told whole, alone',
  )
})

await t.test('what was touched is known from the moment on that one has read at', async (t) => {
  const numbers = (...list: number[]) => Uint32Array.from(list)
  const marks =
    (...list: number[]) =>
    () =>
      numbers(...list)
  const touches = new Touches(4)
  touches.moved('books', undefined, 's1', null, 1)
  t.equal(touches.knownSince('books', 's1'), 1)
  touches.moved(
    'books',
    's1',
    's3',
    {
      to: 's3',
      steps: [
        { from: 's0', marks: marks(9) },
        { from: 's1', marks: marks(1) },
        { from: 's2', marks: marks(2) },
      ],
    },
    2,
  )
  t.strictSame(
    ['s1', 's2', 's3', 's4'].map((stamp) => touches.knownSince('books', stamp)),
    [1, 1, 2, undefined],
  )
  t.strictSame(
    [1, 2, 3, 9].map((mark) => touches.anyAfter(1, ['books'], numbers(mark))),
    [true, true, false, false],
  )
  t.equal(touches.anyAfter(2, ['books'], numbers(1, 2)), false)
  t.equal(touches.anyAfter(1, ['loans'], numbers(3)), true, 'nothing is known of another model')
  touches.moved('books', 's3', 's5', { to: 's4', steps: [{ from: 's3', marks: marks() }] }, 3)
  t.equal(touches.anyAfter(2, ['books'], numbers(3)), true, 'a trail that leads elsewhere says nothing')
  t.equal(touches.anyAfter(3, ['books'], numbers(1)), false)
  touches.moved('books', 's5', 's6', { to: 's6', steps: [{ from: 's5', marks: marks(4, 5, 6) }] }, 4)
  t.equal(touches.anyAfter(1, ['books'], numbers(3)), true, 'what is too long ago is no longer known')
  t.equal(touches.anyAfter(3, ['books'], numbers(3)), false)
})
