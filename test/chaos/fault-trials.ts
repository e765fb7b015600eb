/** Breaks one thing after the other on an installation, and holds all surfaces to the table in docs/operating.md. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Serving } from '../harness/program.js'
import { eventually } from '../ports/subject.js'
import { edited, erased, handleChanged, published, registered, type Told } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { type Fault, faultTable, SURFACES } from './fault-table.js'
import { feedOf, readSurfaces, type Watched } from './surfaces.js'
import { FILE_VARIABLE, WORDS } from './thread-crasher.js'

/** All surfaces agree this long after the state's own threshold. */
const AGREED_MS = 10_000
/** A lease runs out after three seconds, and ten seconds later its projection is known to have no leader. */
const LEADERLESS_MS = 13_000
const STALLED_MS = 15_000
/** Two leases long: a state that comes and goes is none. */
const STEADY_MS = 6000

const ERASED = '/public/share/user/zoe'

/** Another log, in which nobody was erased. */
export const FOREIGN = new Script().write(registered('eve'), registered('zoe'), published('diary', { by: 'zoe' }))

export type Records = ReturnType<Script['write']>

/** Breaks something, and gives how to mend it. */
type Break = () => Promise<() => Promise<void>>

export interface Installation {
  /** Of every process, and of commands. */
  flags: readonly string[]
  folder: string
  append(records: Records): Promise<void>
  serve(roles: string, env?: Record<string, string>): Promise<Serving>
}

export class Trials {
  readonly #t: Test
  readonly #installation: Installation
  readonly #script = new Script()
  readonly #table = faultTable()
  readonly #tried: Fault[] = []
  #watched: Watched | null = null
  /** How long it took at most to read all surfaces: a busy machine is slow to say anything. */
  #readingMs = 0

  constructor(t: Test, installation: Installation) {
    this.#t = t
    this.#installation = installation
  }

  /** Of one creator with many creations, and one who is erased. Waits until all surfaces say that all is well. */
  async start(creations: number): Promise<void> {
    const pieces = Array.from({ length: creations }, (_, n) => published(`c${n}`, { by: 'ada', title: { en: `Piece ${n}` } }))
    await this.#publish(registered('ada'), ...pieces, registered('zoe'), published('diary', { by: 'zoe' }), erased('zoe'))
    await this.launch()
    await this.#agreed('nothing')
  }

  /** Starts both processes. */
  async launch(): Promise<void> {
    const project = await this.#serveProject()
    this.#watched = { flags: this.#installation.flags, query: await this.#installation.serve('query,ask'), project }
    await this.#running.query.ready()
  }

  /** Ends both, and gives which faults were tried. */
  async end(): Promise<readonly Fault[]> {
    await this.#running.query.end('SIGTERM')
    await this.#running.project?.end('SIGTERM')
    return this.#tried
  }

  /** Breaks it, waits until all surfaces say what the table says, mends it, and waits until all is well. */
  async try(fault: Fault, breakIt: Break, thresholdMs = 0): Promise<void> {
    this.#tried.push(fault)
    const mend = await breakIt()
    const brokenAt = Date.now()
    const agreedMs = (await this.#agreed(fault, STEADY_MS)) - brokenAt
    const allowedMs = thresholdMs + AGREED_MS + 3 * this.#readingMs
    this.#t.ok(agreedMs <= allowedMs, `${fault}: all surfaces agree after ${agreedMs} ms, of ${allowedMs}`)
    await mend()
    const mendedAt = Date.now()
    this.#t.comment(`${fault}: all is well ${(await this.#agreed('nothing')) - mendedAt} ms after it was mended`)
  }

  tryRefusedCommits(refuse: Break): Promise<void> {
    return this.try('commits refused', async () => {
      const mend = await refuse()
      await this.#publishEdit()
      return mend
    })
  }

  /** What can happen to the process that leads. */
  async tryLeader(): Promise<void> {
    const stop: Break = async () => {
      this.#running.project?.signal('SIGSTOP')
      await this.#publishEdit()
      return async () => this.#running.project?.signal('SIGCONT')
    }
    await this.try('leader stopped (SIGSTOP)', stop, LEADERLESS_MS)
    const end: Break = async () => {
      await this.#running.project?.end('SIGTERM')
      this.#running.project = null
      await this.#publishEdit()
      return async () => {
        this.#running.project = await this.#serveProject()
      }
    }
    await this.try('no projector', end, LEADERLESS_MS)
    const crash = (inFile: string) => async () => {
      writeFileSync(this.#crashFile, inFile)
      await this.#publishEdit(WORDS)
      return async () => rmSync(this.#crashFile)
    }
    await this.try('thread crashed', crash(''))
    await this.try('thread cannot start', crash(WORDS), STALLED_MS)
  }

  /** It is no fault: no surface may ever call it one. */
  async tryFanOut(): Promise<void> {
    const seen = new Set<string>()
    await this.try('long fan-out', async () => {
      await this.#publish(handleChanged('ada', 'ada-two'))
      await eventually(async () => (await feedOf(this.#running))?.fanOut)
      return async () => {
        const begun = Date.now()
        await eventually(async () => {
          const feed = await feedOf(this.#running)
          if (feed !== null) seen.add(`${feed.state} ${feed.ready}`)
          return feed?.fanOut === null
        })
        this.#t.comment(`the fan-out took another ${Date.now() - begun} ms`)
      }
    })
    this.#t.strictSame([...seen], ['live 200'])
  }

  get #running(): Watched {
    if (this.#watched === null) throw new Error('nothing runs')
    return this.#watched
  }

  get #crashFile(): string {
    return join(this.#installation.folder, 'crash')
  }

  #serveProject(): Promise<Serving> {
    const crasher = new URL('./thread-crasher.js', import.meta.url)
    return this.#installation.serve('project', { NODE_OPTIONS: `--import ${crasher}`, [FILE_VARIABLE]: this.#crashFile })
  }

  #publish(...told: Told[]): Promise<void> {
    return this.#installation.append(this.#script.write(...told))
  }

  #publishEdit(title = 'Edited'): Promise<void> {
    return this.#publish(edited('c1', { title: { en: title } }))
  }

  /** Since when all surfaces say what the table says; waits until they have said it for a while. */
  async #agreed(fault: Fault, forMs = 0): Promise<number> {
    const row = this.#table.get(fault)
    if (row === undefined) throw new Error(`the table has no row for ${fault}`)
    let since: number | null = null
    let last = ''
    let amiss = 0
    return eventually(async () => {
      const begun = Date.now()
      const [cells] = await Promise.all([readSurfaces(this.#running), this.#staysErased()])
      this.#readingMs = Math.max(this.#readingMs, Date.now() - begun)
      const differing = SURFACES.filter((surface) => cells[surface] !== row[surface])
      const told = differing.map((surface) => `${surface}: ${cells[surface]}, not ${row[surface]}`).join('; ')
      if (told !== last) this.#t.comment(`${fault}: ${told || 'as in the table'}`)
      last = told
      amiss = differing.length === 0 ? 0 : amiss + 1
      // One look may fall between taking a lease and saying a health.
      if (amiss === 0) since ??= begun
      else if (amiss > 1) since = null
      return amiss === 0 && since !== null && Date.now() - since >= forMs && since
    })
  }

  /** While the store is dead, readers may be told that it is. */
  async #staysErased(): Promise<void> {
    const { status } = await fetch(`http://127.0.0.1:${this.#running.query.api}${ERASED}`)
    const isDead = this.#tried.at(-1) === 'store dead' && status === 503
    if (status !== 404 && !isDead) this.#t.fail(`the erased creator is answered with ${status}`)
  }
}
