import type { LogRecord } from '../../src/ports/event-log.js'
import { MemoryEventLog } from '../support/memory-log.js'
import type { Told } from './events.js'
import { Script } from './script.js'

/** A log to which a test appends events, for tests of whole projectors. */
export class ToldLog extends MemoryEventLog {
  readonly #script: Script

  constructor(...told: readonly Told[]) {
    const script = new Script()
    super(script.write(...told))
    this.#script = script
  }

  async tell(...told: readonly Told[]): Promise<void> {
    await this.append(this.#script.write(...told).map(({ position: _counted, ...record }: LogRecord) => record))
  }
}
