/** Exports documents as NDJSON, CSV or Parquet, all as streams. */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileWriter, parquetWriteRows } from 'hyparquet-writer'
import { z } from 'zod'
import { visibleText } from '../lib/visible-text.js'
import type { Collection, Doc } from '../ports/document-store.js'
import { CommandError } from './command-line.js'

const FORMATS = ['ndjson', 'csv', 'parquet'] as const
type Format = (typeof FORMATS)[number]

export function formatOf(path: string): Format {
  const format = FORMATS.find((name) => path.endsWith(`.${name}`))
  if (format === undefined) throw new CommandError(`--out must end with .${FORMATS.join(', .')}`)
  return format
}

/** Writes to `.part` and renames at the end: half a file never has the final name. Returns the number of rows. */
export async function exportToFile(path: string, collection: Collection, docs: AsyncIterable<Doc>): Promise<number> {
  const work = `${path}.part`
  const format = formatOf(path)
  let rows = 0
  async function* counted() {
    for await (const doc of docs) {
      rows += 1
      yield doc
    }
  }
  // A new file of our own: a link that was planted under its name would be followed.
  await rm(work, { force: true })
  await writeFile(work, '', { flag: 'wx' })
  try {
    if (format === 'parquet') await writeParquet(work, collection, counted())
    else await pipeline(format === 'csv' ? csvLines(collection, counted()) : jsonLines(counted()), createWriteStream(work))
    await rename(work, path)
  } finally {
    await rm(work, { force: true })
  }
  return rows
}

/** Lines to standard output, waiting whenever the reader is slower. */
export async function exportToStream(out: Writable, docs: AsyncIterable<Doc>): Promise<number> {
  let rows = 0
  for await (const doc of docs) {
    rows += 1
    if (!out.write(`${visibleText(JSON.stringify(doc))}\n`)) await once(out, 'drain')
  }
  return rows
}

async function* jsonLines(docs: AsyncIterable<Doc>): AsyncGenerator<string> {
  for await (const doc of docs) yield `${JSON.stringify(doc)}\n`
}

async function* csvLines(collection: Collection, docs: AsyncIterable<Doc>): AsyncGenerator<string> {
  const columns = columnsOf(collection)
  yield `${columns.map(({ name }) => csvCell(name)).join(',')}\n`
  for await (const doc of docs) yield `${columns.map((column) => csvCell(cellOf(doc, column))).join(',')}\n`
}

/** What spreadsheets take for a formula, also behind quotes and spaces; the wide signs count in some languages. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}"']*[=+\-@＝＋－＠])/u

/** In many countries a spreadsheet takes `;` for the separator, and then begins a cell within ours. */
const FORMULA_WITHIN = /[;\t\r\n](?=[\s\p{Cc}\p{Cf}"']{0,9}[=+\-@＝＋－＠])/gu

/** RFC 4180; null is an empty cell, an empty text is `""`. OWASP's advice: a quote in front makes a formula text. */
function csvCell(cell: string | number | boolean | null): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const isFormula = FORMULA.test(cell) && !Number.isFinite(Number(cell))
  return `"${isFormula ? "'" : ''}${cell.replaceAll(FORMULA_WITHIN, "$&'").replaceAll('"', '""')}"`
}

/** Rows held in memory at a time. */
const ROW_GROUP = 10_000

const PARQUET_TYPES = { string: 'STRING', number: 'DOUBLE', boolean: 'BOOLEAN', json: 'STRING' } as const

async function writeParquet(path: string, collection: Collection, docs: AsyncIterable<Doc>): Promise<void> {
  const columns = columnsOf(collection)
  async function* rows() {
    for await (const doc of docs) yield Object.fromEntries(columns.map((column) => [column.name, cellOf(doc, column)]))
  }
  await parquetWriteRows({
    writer: fileWriter(path),
    rows: rows(),
    columns: columns.map(({ name, type }) => ({ name, type: PARQUET_TYPES[type], nullable: name !== '_id' })),
    rowGroupSize: ROW_GROUP,
  })
}

export interface Column {
  name: string
  /** `json`: lists, nested objects, and fields of several types. */
  type: 'string' | 'number' | 'boolean' | 'json'
}

interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  const?: unknown
  enum?: unknown[]
}

/** The fields of a collection's documents as columns of a table, `_id` first. */
export function columnsOf({ schema }: Collection): Column[] {
  const kinds = new Map<string, Set<Column['type']>>([['_id', new Set(['string'])]])
  for (const variant of variantsOf(z.toJSONSchema(schema, { unrepresentable: 'any' }) as JsonSchema)) {
    for (const [name, property] of Object.entries(variant.properties ?? {})) {
      const known = kinds.get(name) ?? new Set()
      for (const kind of variantsOf(property).flatMap(columnTypes)) known.add(kind)
      kinds.set(name, known)
    }
  }
  return [...kinds].map(([name, types]) => {
    const [type = 'json', another] = types
    return { name, type: another === undefined ? type : 'json' }
  })
}

/** The value of a column: text, number and boolean as they are, everything else as JSON text. */
export function cellOf(doc: Doc, { name, type }: Column): string | number | boolean | null {
  const value: unknown = Object.hasOwn(doc, name) ? doc[name as keyof Doc] : null
  if (value === null || value === undefined) return null
  return type === 'json' ? JSON.stringify(value) : (value as string | number | boolean)
}

function variantsOf(schema: JsonSchema): JsonSchema[] {
  const variants = schema.anyOf ?? schema.oneOf
  return variants === undefined ? [schema] : variants.flatMap(variantsOf)
}

function columnTypes({ type, const: constant, enum: choices }: JsonSchema): Column['type'][] {
  const types =
    type === undefined ? [constant, ...(choices ?? [])].filter((value) => value !== undefined).map((value) => typeof value) : [type].flat()
  return types
    .filter((name) => name !== 'null')
    .map((name) => (name === 'integer' ? 'number' : name === 'string' || name === 'number' || name === 'boolean' ? name : 'json'))
}
