import { createHash } from 'node:crypto'
import { fnv1a } from '../lib/hash.js'
import { indexEntries, sameIndexEntries } from '../ports/collection.js'
import type { Checkpoint, Collection, Doc, IndexQuery, Write } from '../ports/document-store.js'

/** One commit: the fingerprint of the checkpoint it started from, and its cache tags. */
export interface InvalidationEntry {
  from: string
  /** Unpacked on demand: most entries are known already. */
  tags(): Uint32Array
}

/** The latest commits of a generation in order, up to the checkpoint with the fingerprint `to`. */
export interface InvalidationLog {
  to: string
  entries: readonly InvalidationEntry[]
}

/** Short, because it is written with every commit. A reader that misses more has to read everything again. */
const MAX_CHARACTERS = 4096
/** Longer while commits follow each other fast: readers look every 50 ms, and late ones must not fall further behind. */
const RECENT_MS = 200
/** A single commit may have as many: without it everything would count as changed. */
const MAX_RECENT_CHARACTERS = 32_768
/** More writes change nearly everything, so they are not listed. */
const MAX_WRITES = 500

type PackedEntry = [from: string, tags: string]

export class InvalidationLogWriter {
  readonly #now: () => number
  #to: string | null = null
  #entries: PackedEntry[] = []
  /** When each of them was appended. */
  #times: number[] = []

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** The log to store with a commit; `undefined` where it would be too long, and readers take everything for changed. */
  append(from: Checkpoint, to: Checkpoint, writes: readonly Write[]): string | undefined {
    const start = checkpointFingerprint(from)
    if (start !== this.#to) this.#dropOldest(this.#entries.length)
    this.#to = null
    if (writes.length > MAX_WRITES) return undefined
    const tags = pack(tagsOfCommit(writes))
    if (tags.length > MAX_RECENT_CHARACTERS) return undefined
    this.#entries.push([start, tags])
    this.#times.push(this.#now())
    this.#shorten()
    this.#to = checkpointFingerprint(to)
    return JSON.stringify([this.#to, this.#entries])
  }

  #shorten(): void {
    const recent = this.#now() - RECENT_MS
    for (let length = lengthOf(this.#entries); this.#entries.length > 1 && length > MAX_CHARACTERS; length = lengthOf(this.#entries)) {
      if (length <= MAX_RECENT_CHARACTERS && (this.#times[0] ?? recent) >= recent) return
      this.#dropOldest(1)
    }
  }

  #dropOldest(count: number): void {
    this.#entries.splice(0, count)
    this.#times.splice(0, count)
  }
}

export function parseInvalidationLog(text: string): InvalidationLog {
  // Written above, perhaps by another release: the fingerprints tell whether it can be used.
  const [to, entries] = JSON.parse(text) as [string, PackedEntry[]]
  return { to, entries: entries.map(([from, tags]) => ({ from, tags: () => unpack(tags) })) }
}

const lengthOf = (entries: readonly PackedEntry[]): number => entries.reduce((sum, [from, tags]) => sum + from.length + tags.length, 0)

/** In the byte order of the processor: those that this runs on are all little-endian. */
const pack = (tags: ReadonlySet<number>): string => Buffer.from(Uint32Array.from(tags).buffer).toString('base64')

/** Copied, because a buffer need not begin where a number may. */
const unpack = (text: string): Uint32Array => new Uint32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer)

/** The same for the same checkpoint, in any store and process. */
export function checkpointFingerprint({ position, eventId, slice, epoch, tallies, floor }: Checkpoint): string {
  const counted = Object.entries(tallies).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([position, eventId, slice?.step, slice?.afterId, epoch, floor, counted])
  return createHash('sha1').update(text).digest('base64url').slice(0, 16)
}

/**
 * Reads and commits both leave cache tags. A commit that shares no tag with a read does not change its result. Tags are
 * 32-bit hashes: a collision only costs an unneeded read. Processes of different releases compare them, so the hashed
 * texts must not change.
 */

/** Of a document, or of one of its field groups. */
export const documentTag = ({ name, fieldGroup = '' }: Collection, id: string): number => fnv1a(`${name} ${fieldGroup} ${id}`)

/** Of an index: under one value of its first field, or all of it. */
export function indexTag({ name, indexes }: Collection, { index, equals }: IndexQuery): number {
  // Without a query index, a read may find any document.
  if (!indexes.some((spec) => spec.name === index && spec.use === 'query')) return fnv1a(`${name} *`)
  return equals[0] === undefined ? fnv1a(`${name}.${index} *`) : indexValueTag(name, index, equals[0])
}

/** The tags of a commit. */
export function tagsOfCommit(writes: readonly Write[]): Set<number> {
  const tags = new Set<number>()
  for (const write of writes) addTags(tags, write)
  return tags
}

function addTags(tags: Set<number>, { collection, id, before, after }: Write): void {
  const { name, indexes, fieldGroups = {} } = collection
  tags.add(fnv1a(`${name} *`)).add(documentTag(collection, id))
  for (const [fieldGroup, fields] of Object.entries(fieldGroups)) {
    if (!sameFields(fields, before, after)) tags.add(documentTag({ ...collection, fieldGroup }, id))
  }
  for (const index of indexes) {
    if (index.use !== 'query' || sameIndexEntries(index, before, after)) continue
    tags.add(fnv1a(`${name}.${index.name} *`))
    for (const doc of [before, after]) {
      for (const [first] of indexEntries(index, doc)) if (first !== undefined) tags.add(indexValueTag(name, index.name, first))
    }
  }
}

const indexValueTag = (collection: string, index: string, value: string | number): number =>
  fnv1a(`${collection}.${index} ${typeof value === 'number' ? '#' : '='}${value}`)

function sameFields(fields: readonly string[], before: Doc | undefined, after: Doc | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  const [a, b] = [before as unknown as Record<string, unknown>, after as unknown as Record<string, unknown>]
  return fields.every((field) => a[field] === b[field] || JSON.stringify(a[field]) === JSON.stringify(b[field]))
}
