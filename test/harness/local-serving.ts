import type { Test } from 'tap'
import { parseArguments } from '../../src/cli/command-line.js'
import { serve } from '../../src/cli/commands/serve.js'
import { Io } from '../../src/cli/io.js'
import { createLogger } from '../../src/compose/logger.js'
import { loadModels } from '../../src/compose/models/load-models.js'
import { type Stoppable, startProjector } from '../../src/compose/projector/projector.js'
import { serverPorts } from '../servers/ports.js'
import { RunningCommand, TestProcess } from './command.js'
import { environmentOf, serveArguments } from './program.js'

/**
 * A `vitrine serve` in this process, on its own ports, for tests of what happens beside it. It projects in this thread,
 * because another thread would load the test runner first. Its log goes to standard error.
 */
export class LocalServing {
  readonly api: number
  readonly web: number
  readonly admin: number
  readonly #command: RunningCommand
  readonly #projector: Promise<Stoppable>
  #stopped: Promise<void> | null = null

  /** Stops with the test, unless it has stopped before. */
  static async start(t: Pick<Test, 'teardown'>, folder: string, ...flags: string[]): Promise<LocalServing> {
    const serving = new LocalServing(folder, flags, await serverPorts(3))
    t.teardown(() => serving.end())
    return serving
  }

  private constructor(folder: string, flags: readonly string[], [api = 0, web = 0, admin = 0]: readonly number[]) {
    this.api = api
    this.web = web
    this.admin = admin
    const args = serveArguments(folder, { api, web, admin }, [...flags, '--roles', 'query,ask'])
    const { config } = parseArguments(serve, args.slice(1), environmentOf({}), new Io(new TestProcess()))
    this.#command = new RunningCommand(args)
    this.#projector = loadModels(config).then((models) => startProjector(config, models, createLogger(config)))
  }

  /** Resolves when the URLs have been printed, which is when every model can be read. */
  ready(): Promise<void> {
    return this.#command.until('stdout', /Stop with/)
  }

  /** Resolves with the exit code. */
  async end(): Promise<number | null> {
    this.#command.signal('SIGTERM')
    const { code } = await this.#command.ended
    this.#stopped ??= this.#projector.then((projector) => projector.stop())
    await this.#stopped
    return code
  }
}
