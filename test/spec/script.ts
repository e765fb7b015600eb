import type { Position } from '../../src/events/index.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { minutes, type Told } from './events.js'

/** Turns events into records of a log: consecutive positions, one minute apart, sequences without gaps. */
export class Script {
  readonly records: LogRecord[] = []
  readonly #sequences = new Map<string, number>()

  write(...told: readonly Told[]): LogRecord[] {
    const written = told.map((one) => this.#record(one))
    return written
  }

  #record(told: Told): LogRecord {
    const position = this.records.length + 1
    const time = told.over.time ?? minutes(position)
    const record: LogRecord = {
      // Positions of a real log are counted by the log; here the script is the log.
      position: position as Position,
      id: told.over.id ?? `e${position}`,
      subject: told.subject,
      appendedAt: told.over.appendedAt ?? time,
      payload: told.payload ?? JSON.stringify(this.#envelope(told, position, time)),
    }
    this.records.push(record)
    return record
  }

  #envelope(told: Told, position: number, time: number): object {
    const sequence = told.over.sequence ?? (this.#sequences.get(told.subject) ?? 0) + 1
    this.#sequences.set(told.subject, Math.max(sequence, this.#sequences.get(told.subject) ?? 0))
    return {
      specversion: '1.0',
      id: told.over.id ?? `e${position}`,
      source: '/spec',
      type: told.over.type ?? told.type,
      subject: told.over.subject ?? told.subject,
      time: new Date(time).toISOString(),
      sequence,
      data: told.data,
    }
  }
}
