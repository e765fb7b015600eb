import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../compose/config.js'
import { CommandError } from './command-line.js'

/** What a command has no use without: the events, the models as well, or anything at all, be it a server. */
export type Needs = 'log' | 'models' | 'anything'

/** Whoever only looks must not make an empty world where a folder was mistyped, and report that. */
export function requireData({ DATA_DIR, NATS_URL, MONGODB_URL, EVENTSTORE_URL, REDIS_URL }: Config, needs: Needs): void {
  if (needs === 'anything' && (NATS_URL ?? MONGODB_URL ?? EVENTSTORE_URL ?? REDIS_URL) !== undefined) return
  const embedded = [
    ...(NATS_URL === undefined ? [join('log', 'events.db')] : []),
    // Where the events are in a server there is enough to work with.
    ...(MONGODB_URL === undefined && (needs === 'models' || NATS_URL === undefined) ? [join('models', 'control.db')] : []),
  ]
  if (embedded.length === 0 || !embedded.every((file) => isMissing(join(DATA_DIR, file)))) return
  throw new CommandError(`there is nothing at ${DATA_DIR}: correct DATA_DIR (--data-dir), or let "vitrine serve" begin there`)
}

/** Not of what may be there and cannot be looked at: whoever opens it says why. */
function isMissing(path: string): boolean {
  try {
    statSync(path)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}
