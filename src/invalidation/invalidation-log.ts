import type { Checkpoint, Write } from '../ports/document-store.js'
import { marksOf, type Named } from './cache-tags.js'
import { stampOf } from './stamp.js'

/** One commit: the stamp of the checkpoint it began at, and what it touched. */
export interface Step {
  from: string
  /** Unpacked when it is asked for: most steps are known already. */
  marks(): Uint32Array
}

/** The latest commits of a generation, one behind the other, up to the checkpoint with the stamp `to`. */
export interface Trail {
  to: string
  steps: readonly Step[]
}

/** It is written with every commit. Who comes back to find none of what it knew in it has missed more than it can be told. */
const MAX_CHARACTERS = 4096
/** One commit alone may take more: without it everything would be taken for touched. */
const MAX_STEP_CHARACTERS = 32_768
/** Many writes touch nearly everything: not worth listing. */
const MAX_WRITES = 500

type Packed = [from: string, marks: string]

/** Keeps the trail of one who commits. */
export class TrailWriter {
  #to: string | null = null
  #steps: Packed[] = []

  /**
   * The trail to leave with a commit; `undefined` where it would be too long, and then readers know that they know nothing.
   * `others` are documents it may also write, whatever will be in them.
   */
  after(from: Checkpoint, to: Checkpoint, writes: readonly Write[], others: readonly Named[] = []): string | undefined {
    const start = stampOf(from)
    if (start !== this.#to) this.#steps = []
    this.#to = null
    if (writes.length > MAX_WRITES) return undefined
    const marks = pack(marksOf(writes, others))
    if (marks.length > MAX_STEP_CHARACTERS) return undefined
    this.#steps.push([start, marks])
    while (this.#steps.length > 1 && lengthOf(this.#steps) > MAX_CHARACTERS) this.#steps.shift()
    this.#to = stampOf(to)
    return JSON.stringify([this.#to, this.#steps])
  }
}

export function readTrail(text: string): Trail {
  // Written above, by whichever version of this program: the stamps tell whether it is of any use.
  const [to, steps] = JSON.parse(text) as [string, Packed[]]
  return { to, steps: steps.map(([from, marks]) => ({ from, marks: () => unpack(marks) })) }
}

const lengthOf = (steps: readonly Packed[]): number => steps.reduce((sum, [from, marks]) => sum + from.length + marks.length, 0)

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
