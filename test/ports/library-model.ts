import type { Test } from 'tap'
import { z } from 'zod'
import type {
  Checkpoint,
  Collection,
  Commit,
  Doc,
  DocumentStore,
  GenerationStore,
  IndexQuery,
  Reads,
  Write,
} from '../../src/ports/document-store.js'
import type { Position } from '../../src/ports/event-log.js'
import { type Fresh, type Opened, opened, type Subject } from './subject.js'

/** The model that the contract suites use, a small library: books on shelves, loans, pages, and documents with odd values. */
export const PROJECTION = 'library'

const Book = z.object({
  _id: z.string(),
  title: z.string(),
  shelf: z.string().nullable().optional(),
  price: z.number(),
  tags: z.array(z.string()),
  loans: z.number(),
  removed: z.boolean().optional(),
})
export type Book = z.infer<typeof Book>

export const books: Collection<Book> = {
  name: 'books',
  schema: Book,
  indexes: [
    { name: 'shelf', fields: ['shelf'], use: 'fold' },
    { name: 'tag', fields: ['tags'], each: 'tags', use: 'fold' },
    { name: 'title', fields: ['title'], use: 'query' },
    { name: 'price', fields: ['price'], order: 'asc', use: 'query' },
    { name: 'loans', fields: ['loans'], order: 'desc', use: 'query' },
    { name: 'shelfTitle', fields: ['shelf', 'title'], use: 'query' },
    { name: 'shelfLoans', fields: ['shelf', 'loans'], order: 'desc', use: 'query' },
    { name: 'tagLoans', fields: ['tags', 'loans'], each: 'tags', order: 'desc', use: 'query' },
    { name: 'shelfTag', fields: ['shelf', 'tags'], each: 'tags', use: 'query' },
  ],
}

const Loan = z.object({ _id: z.string(), reader: z.string(), book: z.string(), at: z.number() })
type Loan = z.infer<typeof Loan>

export const loans: Collection<Loan> = {
  name: 'loans',
  schema: Loan,
  edges: true,
  indexes: [
    { name: 'book', fields: ['book'], use: 'fold' },
    { name: 'reader', fields: ['reader', 'at'], order: 'desc', use: 'query' },
  ],
}

const Oddity = z.object({ _id: z.string(), value: z.unknown().optional(), list: z.unknown().optional() })
export type Oddity = z.infer<typeof Oddity>

export const oddities: Collection<Oddity> = {
  name: 'oddities',
  schema: Oddity,
  indexes: [
    { name: 'value', fields: ['value'], use: 'query' },
    { name: 'foldValue', fields: ['value'], use: 'fold' },
    { name: 'falling', fields: ['value'], order: 'desc', use: 'query' },
    { name: 'element', fields: ['list'], each: 'list', use: 'query' },
  ],
}

const Page = z.object({ _id: z.string(), words: z.array(z.string()) })
export type Page = z.infer<typeof Page>

export const pages: Collection<Page> = {
  name: 'pages',
  schema: Page,
  indexes: [{ name: 'word', fields: ['words'], each: 'words', use: 'query', fullText: true }],
}

/** Queries that find every entry of the indexes of a collection: of one on a list, those of the elements that tests use. */
export const everyEntry = ({ indexes }: Collection): IndexQuery[] => [
  { index: '_id', equals: [] },
  ...indexes.flatMap(({ name, fields, each, fullText }) => {
    if (fullText) return []
    if (each === undefined) return [{ index: name, equals: [] }]
    return fields[0] === each
      ? ELEMENTS.map((element) => ({ index: name, equals: [element] }))
      : ['fiction', 'maps', ''].flatMap((shelf) => ELEMENTS.map((element) => ({ index: name, equals: [shelf, element] })))
  }),
]

const ELEMENTS = ['x', 'y', 'z', 'all', 'again', 'text', 't0', 't1', 't2', 't3', 't4', 'u0', 'u1', 'u2', 'u3', 'u4', 1, 2]

export const collections: readonly Collection[] = [books, loans, oddities, pages]

export type DocumentStoreSubject = Subject<DocumentStore>

export function book(id: string, over: Partial<Book> = {}): Book {
  return { _id: id, title: `The ${id}`, shelf: 'fiction', price: 10, tags: [], loans: 0, ...over }
}

export interface Change {
  collection: Collection
  id: string
  after: Doc | undefined
}

export const put = <D extends Doc>(collection: Collection<D>, ...docs: D[]): Change[] =>
  docs.map((after) => ({ collection, id: after._id, after }))

export const remove = (collection: Collection, ...ids: string[]): Change[] => ids.map((id) => ({ collection, id, after: undefined }))

/** Commits changes at the next position as a projector would, which reads every document before it replaces it. */
export async function save(target: GenerationStore, changes: readonly Change[], over: Partial<Commit> = {}): Promise<Checkpoint> {
  const from = await target.checkpoint()
  const to = next(from)
  await target.commit({ from, to, writes: await writesOf(target, changes), ...over })
  return over.to ?? to
}

export async function writesOf(reads: Reads, changes: readonly Change[]): Promise<Write[]> {
  const writes: Write[] = []
  for (const collection of new Set(changes.map((change) => change.collection))) {
    const own = changes.filter((change) => change.collection === collection)
    const befores = await reads.get(
      collection,
      own.map(({ id }) => id),
    )
    for (const [i, change] of own.entries()) writes.push({ ...change, before: befores[i] })
  }
  return writes
}

export function next(from: Checkpoint, over: Partial<Checkpoint> = {}): Checkpoint {
  const position = (from.position + 1) as Position
  return { ...from, position, eventId: `event ${position}`, slice: null, ...over }
}

interface Library extends Opened<DocumentStore, Fresh<DocumentStore>> {
  /** The live generation, with all its indexes, led by epoch 1. */
  live: GenerationStore
}

/** Opens a store whose library is live and holds these documents. */
export async function openLibrary(t: Test, subject: DocumentStoreSubject, changes: readonly Change[] = []): Promise<Library> {
  const handles = await opened(t, subject)
  const live = await generation(t, handles.store)
  await live.buildIndexes()
  if (changes.length > 0) await save(live, changes)
  await handles.store.promote(live.generation)
  return { ...handles, live }
}

/** A new generation, led by epoch 1, without query indexes. */
export async function generation(t: Test, store: DocumentStore): Promise<GenerationStore> {
  const target = await openFor(t, store, await store.createGeneration(PROJECTION, 3, collections))
  await target.fence(1)
  return target
}

export async function openFor(t: Test, store: DocumentStore, which: GenerationStore['generation']): Promise<GenerationStore> {
  const target = await store.openGeneration(which, collections)
  t.teardown(() => target.close())
  return target
}

/** Reads in a new snapshot. */
export async function reading<T>(store: DocumentStore, read: (reads: Reads) => Promise<T>): Promise<T> {
  const snapshot = await store.snapshot([PROJECTION])
  try {
    return await read(snapshot.model(PROJECTION))
  } finally {
    snapshot.release()
  }
}

/** The same check on what the projector reads and on what readers read. */
export async function bothReads(t: Test, { store, live }: Library, check: (t: Test, reads: Reads) => Promise<void>): Promise<void> {
  await t.test('as the projector reads', (t) => check(t, live))
  await t.test('as readers read', (t) => reading(store, (reads) => check(t, reads)))
}
