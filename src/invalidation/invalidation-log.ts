import { createHash } from 'node:crypto'
import type { Checkpoint, Write } from '../ports/document-store.js'
import { type DocumentRef, tagsOfCommit } from './cache-tags.js'

/** One commit: the stamp of the checkpoint it began at, and what it touched. */
export interface InvalidationEntry {
  from: string
  /** Unpacked when it is asked for: most steps are known already. */
  tags(): Uint32Array
}

/** The latest commits of a generation, one behind the other, up to the checkpoint with the stamp `to`. */
export interface InvalidationLog {
  to: string
  entries: readonly InvalidationEntry[]
}

/** It is written with every commit. Who comes back to find none of what it knew in it has missed more than it can be told. */
const MAX_CHARACTERS = 4096
/** One commit alone may take more: without it everything would be taken for touched. */
const MAX_ENTRY_CHARACTERS = 32_768
/** Many writes touch nearly everything: not worth listing. */
const MAX_WRITES = 500

type PackedEntry = [from: string, marks: string]

/** Keeps the trail of one who commits. */
export class InvalidationLogWriter {
  #to: string | null = null
  #entries: PackedEntry[] = []

  /**
   * The trail to leave with a commit; `undefined` where it would be too long, and then readers know that they know nothing.
   * `others` are documents it may also write, whatever will be in them.
   */
  append(from: Checkpoint, to: Checkpoint, writes: readonly Write[], others: readonly DocumentRef[] = []): string | undefined {
    const start = checkpointFingerprint(from)
    if (start !== this.#to) this.#entries = []
    this.#to = null
    if (writes.length > MAX_WRITES) return undefined
    const marks = pack(tagsOfCommit(writes, others))
    if (marks.length > MAX_ENTRY_CHARACTERS) return undefined
    this.#entries.push([start, marks])
    while (this.#entries.length > 1 && lengthOf(this.#entries) > MAX_CHARACTERS) this.#entries.shift()
    this.#to = checkpointFingerprint(to)
    return JSON.stringify([this.#to, this.#entries])
  }
}

export function parseInvalidationLog(text: string): InvalidationLog {
  // Written above, by whichever version of this program: the stamps tell whether it is of any use.
  const [to, steps] = JSON.parse(text) as [string, PackedEntry[]]
  return { to, entries: steps.map(([from, tags]) => ({ from, tags: () => unpack(tags) })) }
}

const lengthOf = (steps: readonly PackedEntry[]): number => steps.reduce((sum, [from, marks]) => sum + from.length + marks.length, 0)

function pack(marks: ReadonlySet<number>): string {
  const bytes = Buffer.alloc(marks.size * 4)
  let at = 0
  for (const mark of marks) at = bytes.writeUInt32LE(mark, at)
  return bytes.toString('base64')
}

function unpack(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64')
  const marks = new Uint32Array(bytes.length / 4)
  for (let i = 0; i < marks.length; i++) marks[i] = bytes.readUInt32LE(i * 4)
  return marks
}

/** Names one moment of a generation: the same for the same checkpoint, whatever store it has been in. */
export function checkpointFingerprint({ position, eventId, slice, epoch, tallies, floor }: Checkpoint): string {
  const counted = Object.entries(tallies).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([position, eventId, slice?.step, slice?.afterId, epoch, floor, counted])
  return createHash('sha1').update(text).digest('base64url').slice(0, 16)
}
