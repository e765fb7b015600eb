import { decode, type EventTypes, type Position } from '../../events/index.js'
import { type EventLog, type LogRecord, LogReplacedError } from '../../ports/event-log.js'
import { LogFollower } from './log-follower.js'
import { isFull, type Page, RECORDS_PER_READ, readRecords, recordAt } from './log-page.js'
import { LogSection, type LogSource } from './log-section.js'

/** One that reads nothing for this long is left behind by the others. */
const MAX_PAUSE_MS = 5000

/** Reads and decodes the log once for all projections of a process that are near each other. */
export class LogReader {
  readonly #log: EventLog
  readonly #source: LogSource
  readonly #maxPauseMs: number
  #sections: LogSection[] = []
  /** Grows when the log was found to be another one. Until its checkpoint is compared again, a projection must fold nothing. */
  era = 0
  #answeredAt = Date.now()

  constructor(log: EventLog, types: EventTypes, { maxPauseMs = MAX_PAUSE_MS } = {}) {
    this.#log = log
    this.#maxPauseMs = maxPauseMs
    const decoded = (records: readonly LogRecord[]) => records.map((record) => ({ record, decoded: decode(record, types) }))
    this.#source = {
      read: async (after, limit) => {
        const records = await readRecords(log, after, limit)
        this.#answeredAt = Date.now()
        return decoded(records)
      },
      next: async (after, signal) => {
        const records = await log.next(after, RECORDS_PER_READ, signal)
        if (records.length > 0) this.#answeredAt = Date.now()
        return decoded(records)
      },
    }
  }

  /** When the log answered last, or the reader was made. */
  get answeredAt(): number {
    return this.#answeredAt
  }

  /** For one that goes through the log. */
  follow(): LogFollower {
    return new LogFollower(this)
  }

  /** Up to `limit` events after a position, which keeps nobody waiting. Throws unless the log is that of the era. */
  async readPage(after: Position, limit: number, era = this.era): Promise<Page> {
    this.assertEra(era)
    const held = this.#covering(after)?.after(after, limit) ?? []
    if (held.length > 0) return { events: held, isLast: false }
    const events = await this.#source.read(after, limit)
    this.assertEra(era)
    return { events, isLast: !isFull(events, limit) }
  }

  /** Throws if the log has been replaced since. */
  assertEra(era: number): void {
    if (this.era !== era) throw new LogReplacedError('the log has been replaced while it was read')
  }

  /** The log has been replaced: nothing that was read before may be folded. */
  forget(): void {
    this.era += 1
    for (const section of this.#sections) section.close()
    this.#sections = []
    this.#log.forget?.()
  }

  /** The id of the event at a position, or `null` where the log has none. */
  async eventIdAt(position: Position): Promise<string | null> {
    try {
      return (await recordAt(this.#log, position))?.id ?? null
    } catch (error) {
      if (error instanceof LogReplacedError) return null
      throw error
    }
  }

  #covering(after: Position): LogSection | undefined {
    const [furthest] = this.#sections.filter((section) => section.covers(after)).sort((a, b) => b.end - a.end)
    return furthest
  }

  /** For its followers: the section that holds what comes after a position. */
  enter(follower: LogFollower, after: Position): LogSection {
    const section = this.#covering(after) ?? new LogSection(this.#source, after, this.#maxPauseMs)
    if (!this.#sections.includes(section)) this.#sections.push(section)
    section.enter(follower, after)
    this.leave(follower, section)
    return section
  }

  leave(follower: LogFollower, except: LogSection | null = null): void {
    for (const section of this.#sections) if (section !== except) section.leave(follower)
    this.#sections = this.#sections.filter((section) => section === except || !section.isEmpty)
  }
}
