/** The two reads that most models need, made of what a model declares: one document, and a page of an index. */
import { z } from 'zod'
import { damagedCursor, decodeCursor, encodeCursor } from '../../contract/cursor.js'
import { notFound } from '../../contract/errors.js'
import { locale } from '../../contract/fields.js'
import { type InputSchema, pathParameters } from '../../contract/operation.js'
import type { Readable } from '../../engine/declared/index.js'
import { didYouMean, nearestWord } from '../../lib/nearest-word.js'
import { indexEntries, valueAt } from '../../ports/collection.js'
import type { Collection, Doc, IndexSpec, IndexValue } from '../../ports/document-store.js'
import { CARD_KINDS, type Cards } from './cards.js'
import { ModelsError, type Read } from './define-models.js'
import type { ExampleDocuments } from './folded-examples.js'

interface Spec<F extends string, C extends string> extends Pick<Read, 'name' | 'path' | 'summary' | 'description' | 'deprecated'> {
  /** What it shows. */
  fields: readonly F[]
  /** What it shows of our models: the name in the answer, and the field that refers to a creation or a creator. */
  cards?: Readonly<Record<string, C>>
}

/**
 * One document by its id, which is the only parameter of the path. With `listedBy` only one that is in that index: a field of it is null
 * while nothing has said what the document is, or once it should be found no more.
 */
export function get<V extends object, I extends string, C extends string, F extends keyof V & string>(
  source: Readable<V, I, C>,
  { listedBy, ...spec }: Spec<F, NoInfer<C>> & { notFound?: string; listedBy?: NoInfer<I> },
): Read {
  const { documents } = source
  const [parameter, another] = pathParameters(spec.path)
  if (parameter === undefined || another !== undefined) throw new ModelsError(`the path of "${spec.name}" must have one parameter, the id`)
  const missing = spec.notFound ?? 'Nothing has this id'
  const index = listedBy === undefined ? null : findIndex(spec.name, documents, listedBy)
  const shown = shownBy(source, spec)
  return {
    ...shown.basics,
    notFound: missing,
    input: z.object({ [parameter]: z.string().max(200).meta({ description: 'Id.' }), ...shown.input }),
    output: shown.item,
    example: (examples) => {
      const doc = shown.exampleIn(examples)
      return { input: { [parameter]: doc._id }, output: shown.example(doc) }
    },
    async run({ model }, input, own) {
      const [doc] = await model(own).get(documents, [String(input[parameter])])
      const isListed = index === null || indexEntries(index, doc).length > 0
      if (doc === undefined || isTombstone(doc) || !isListed) throw notFound(`${missing}.`)
      return shown.of(doc)
    },
  }
}

const MAX_LIMIT = 100
const cursor = z.string().max(2000).optional().meta({ description: '`next_cursor` of the page before, unchanged.' })
const limit = z.int().min(1).max(MAX_LIMIT).default(24).meta({ description: 'How many at most.' })
const nextCursor = z.string().nullable().meta({ description: 'Pass unchanged as `cursor` to get the next page; null on the last page.' })

type Page = z.ZodObject<{ items: z.ZodArray<z.ZodObject>; next_cursor: typeof nextCursor }>

/** Documents by an index, a page at a time. The parameters of the path are the first fields of the index; the order is that of the others. */
export function list<V extends object, I extends string, C extends string, F extends keyof V & string>(
  source: Readable<V, I, C>,
  indexName: NoInfer<I>,
  spec: Spec<F, NoInfer<C>>,
): Read<InputSchema, Page> {
  const { documents } = source
  const { name: index, fields, each } = findIndex(spec.name, documents, indexName)
  const given = pathParameters(spec.path)
  const [equal, open] = [fields.slice(0, given.length), fields.slice(given.length)]
  if (equal.join() !== given.join())
    throw new ModelsError(`the path of "${spec.name}" has {${given.join('}, {')}}, but "${index}" begins with ${equal.join(', ')}`)
  if (each !== undefined && !equal.includes(each))
    throw new ModelsError(`"${spec.name}" lists by "${index}", which is by the elements of "${each}": its path needs {${each}}`)
  const shown = shownBy(source, spec)
  const shape = shapeOf(documents)
  return {
    ...shown.basics,
    input: z.object({ ...Object.fromEntries(equal.map((field) => [field, parameterOf(shape[field])])), ...shown.input, limit, cursor }),
    output: z.object({ items: z.array(shown.item), next_cursor: nextCursor }),
    example: (examples) => {
      const doc = shown.exampleIn(examples)
      const input = Object.fromEntries(equal.map((field) => [field, [valueAt(doc, field)].flat()[0]]))
      return { input, output: { items: [shown.example(doc)], next_cursor: null } }
    },
    async run({ model }, input, own) {
      const equals = equal.map((field) => input[field] as IndexValue)
      const bound = [spec.name, ...equals]
      const after = typeof input.cursor === 'string' ? entryIn(input.cursor, bound, open.length) : null
      const wanted = Number(input.limit)
      const query = { index, equals, limit: wanted + 1, ...(after === null ? {} : { after }) }
      const found = await model(own).range(documents, query)
      const page = found.slice(0, wanted)
      const last = found.length > wanted ? page.at(-1) : undefined
      const value = last && JSON.stringify(open.map((field) => valueAt(last, field)))
      const next = last === undefined || value === undefined ? null : encodeCursor({ value, id: last._id }, bound)
      return { items: page.filter((doc) => !isTombstone(doc)).map(shown.of), next_cursor: next }
    },
  }
}

function findIndex(read: string, { name, indexes }: Collection, wanted: string): IndexSpec {
  const found = indexes.find((index) => index.name === wanted && index.use === 'query')
  if (found !== undefined) return found
  const known = indexes.flatMap((index) => (index.use === 'query' ? [index.name] : []))
  throw new ModelsError(`"${read}" lists by "${wanted}", which is no index of ${name}${didYouMean(nearestWord(wanted, known))}`)
}

const Entry = z.array(z.union([z.string(), z.number()]))

/** Where a page ended: the values of the open fields, and the id. */
function entryIn(text: string, bound: readonly IndexValue[], length: number): IndexValue[] {
  const { value, id } = decodeCursor(text, bound)
  try {
    const values = Entry.parse(JSON.parse(String(value)))
    if (values.length === length) return [...values, id]
  } catch {}
  throw damagedCursor()
}

/** What a read shows of a document, and how it is described. */
function shownBy<F extends string, C extends string>(source: Readable<object>, { fields, cards: wanted = {}, ...basics }: Spec<F, C>) {
  const { documents } = source
  const shape = shapeOf(documents)
  const cards = cardsOf(basics.name, source, wanted)
  const kinds = Object.entries(cards).map(([name, { kind }]) => [name, CARD_KINDS[kind]] as const)
  const unknown = fields.find((field) => !(field in shape))
  if (unknown !== undefined)
    throw new ModelsError(
      `"${basics.name}" shows "${unknown}", which is no field of ${documents.name}${didYouMean(nearestWord(unknown, Object.keys(shape)))}`,
    )
  const picked = Object.fromEntries(fields.map((field) => [field, shape[field] ?? z.never()]))
  const needed = [...fields, ...Object.values(cards).map(({ through }) => through)]
  const of = (doc: Doc) => Object.fromEntries(needed.map((field) => [field, valueAt(doc, field)]))
  return {
    basics: { ...basics, cards },
    /** The titles of creations have languages. */
    input: Object.fromEntries(Object.values(cards).flatMap(({ kind }) => (kind === 'creation' ? [['locale', locale]] : []))),
    item: z.object({ ...picked, ...Object.fromEntries(kinds.map(([name, card]) => [name, card?.schema ?? z.never()])) }),
    of,
    exampleIn(examples: ExampleDocuments): Doc {
      const doc = examples(documents)
      if (doc === undefined)
        throw new ModelsError(`"${basics.name}" has no example: the examples of its events leave no document in ${documents.name}`)
      return doc
    },
    example: (doc: Doc) => ({ ...of(doc), ...Object.fromEntries(kinds.map(([name, card]) => [name, card?.example])) }),
  }
}

/** Through the references that the state or edge declares. */
function cardsOf(read: string, source: Readable<object>, wanted: Readonly<Record<string, string>>): Cards {
  return Object.fromEntries(
    Object.entries(wanted).map(([name, through]) => {
      const kind = source.referenceIn?.(through)
      if (kind === undefined || !(kind in CARD_KINDS))
        throw new ModelsError(`"${read}" shows a card of "${through}", which does not refer to a creation or a creator`)
      // Under this name the answer would show something else than it says.
      if (name in CARD_KINDS && name !== kind)
        throw new ModelsError(`"${read}" shows a card "${name}" of "${through}", which refers to a ${kind}: call it "${kind}"`)
      return [name, { kind, through }]
    }),
  )
}

/** The fields of documents that are no tombstones. */
function shapeOf({ schema }: Collection): Readonly<Record<string, z.ZodType>> {
  const [living] = schema instanceof z.ZodDiscriminatedUnion ? schema.options : [schema]
  // Of a state, an edge or counts, which are all made of objects.
  return living instanceof z.ZodObject ? (living.shape as Record<string, z.ZodType>) : {}
}

/** A field as a parameter: of a list, one element; never null. */
function parameterOf(schema: z.ZodType | undefined): z.ZodType {
  if (schema instanceof z.ZodNullable) return parameterOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodArray) return parameterOf(schema.element as z.ZodType)
  return schema ?? z.never()
}

const isTombstone = (doc: Doc): boolean => 'removed' in doc && doc.removed === true
