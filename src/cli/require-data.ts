import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../compose/config.js'
import { CommandError } from './command-line.js'

/** What a command needs: the log, the models too, or any store or server at all. */
export type Needs = 'log' | 'models' | 'anything'

const FILES = { log: join('log', 'events.db'), models: join('models', 'control.db') }

/** Whether an embedded store has been begun: opening it would create it. */
export const hasEmbeddedFile = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>, store: keyof typeof FILES): boolean =>
  !isMissing(join(DATA_DIR, FILES[store]))

/** Whether there are models to read, in a file or a server. */
export const hasModels = (config: Pick<Config, 'DATA_DIR' | 'MONGODB_URL'>): boolean =>
  config.MONGODB_URL !== undefined || hasEmbeddedFile(config, 'models')

/** A command that only reads must not create empty stores in a mistyped folder and report on those. */
export function requireData({ DATA_DIR, NATS_URL, MONGODB_URL, EVENTSTORE_URL, REDIS_URL }: Config, needs: Needs): void {
  if (needs === 'anything' && (NATS_URL ?? MONGODB_URL ?? EVENTSTORE_URL ?? REDIS_URL) !== undefined) return
  const embedded: (keyof typeof FILES)[] = [
    ...(NATS_URL === undefined ? ['log' as const] : []),
    // With the events in a server, the models may be missing.
    ...(MONGODB_URL === undefined && (needs === 'models' || NATS_URL === undefined) ? ['models' as const] : []),
  ]
  if (embedded.length === 0 || embedded.some((store) => hasEmbeddedFile({ DATA_DIR }, store))) return
  throw new CommandError(`there is nothing at ${DATA_DIR}: correct DATA_DIR (--data-dir), or let "vitrine serve" begin there`)
}

/** False for a file that cannot be examined: opening it will say why. */
function isMissing(path: string): boolean {
  try {
    statSync(path)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}
