import { chmodSync, readdirSync, statSync } from 'node:fs'
import { type Config, ConfigError } from './config.js'

/** What the stores put there, and what a file system puts at its root. */
const OUR_OWN: ReadonlySet<string> = new Set(['log', 'models', 'asks', 'lost+found'])

/**
 * The data folder. Root is refused the folder of another user: that user's service could not write what root creates there, and
 * the links that user may have put there would lead root elsewhere.
 */
export function ownDataFolder({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string {
  const { uid, gid } = statSync(DATA_DIR, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 }
  if (process.getuid?.() !== 0 || uid === 0) return DATA_DIR
  throw new ConfigError(
    `DATA_DIR: ${DATA_DIR} belongs to user ${uid}. Run this as that user: setpriv --reuid=${uid} --regid=${gid} --clear-groups vitrine …`,
  )
}

/** New data folders are private. One from an earlier release, or made by hand, is made private, if it holds nothing but our stores. */
export function protectDataFolder({ DATA_DIR }: Pick<Config, 'DATA_DIR'>, logger: Record<'info' | 'warn', (line: string) => void>): void {
  if (process.platform === 'win32' || !isOpenToOthers(DATA_DIR)) return
  try {
    if (readdirSync(DATA_DIR).every((name) => OUR_OWN.has(name))) {
      chmodSync(DATA_DIR, 0o700)
      logger.info(`${DATA_DIR} was open to other users of this machine, and is private now`)
      return
    }
  } catch {
    // Another user's folder: only they can change it.
  }
  logger.warn(`${DATA_DIR} is open to other users of this machine: keep nothing else in it, and run chmod 700 on it`)
}

function isOpenToOthers(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && (found.mode & 0o077) !== 0
}
