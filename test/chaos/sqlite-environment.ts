/** An installation on SQLite, in a folder on a disk small enough to be filled. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { SqliteEventLog } from '../../src/adapters/sqlite/event-log.js'
import { SqliteEventStore } from '../../src/adapters/sqlite/event-store.js'
import type { Environment, Fault } from './environment.js'
import type { Role } from './installation.js'
import { processFaults } from './process-faults.js'
import { SmallDisk } from './small-disk.js'
import { writeProtection } from './write-protection.js'

export async function sqliteEnvironment(told: (line: string) => void): Promise<Environment> {
  const disk = new SmallDisk()
  const folder = disk.path
  const documents = await openSqliteStore(join(folder, 'models'))
  const log = new SqliteEventLog(join(folder, 'log', 'events.db'))
  const jobs = new SqliteEventStore(join(folder, 'asks', 'events.db'))
  const protect = writeProtection(folder)
  if (!disk.isSmall) told('no file system may be mounted here: the disk is never full')
  if (protect === null) told('no file can be kept from being written here: none is read-only')
  return {
    folder,
    flags: [],
    log,
    documents,
    jobs,
    roles: ['projector', 'query', 'ask'],
    faults: [
      ...processFaults('projector', 4),
      ...processFaults('query', 1),
      ...processFaults('ask', 1),
      ...(disk.isSmall ? [fullDisk(disk)] : []),
      ...(protect === null
        ? []
        : ['models', 'log'].flatMap((part) =>
            (['projector', 'query'] as const).map((role) => readOnly(join(folder, part), part, role, protect)),
          )),
    ],
    async close() {
      await documents.close()
      await log.close()
      await jobs.close()
      disk.remove()
    },
  }
}

const fullDisk = (disk: SmallDisk): Fault => ({
  name: 'full disk',
  target: 'disk',
  weight: 6,
  async run(installation, dice) {
    const makeRoom = await disk.fill()
    try {
      await installation.publish(20)
      await delay(dice.below(700))
    } finally {
      makeRoom()
    }
  },
})

/** A process can still write to a file that it has open, so it is restarted while the file is read-only. */
const readOnly = (folder: string, part: string, role: Role, protect: (folder: string) => () => void): Fault => ({
  name: `read-only ${part} for ${role}`,
  target: role,
  weight: 2,
  async run(installation, dice) {
    const pauseMs = 1000 + dice.below(2000)
    await installation.stop(role, 'SIGKILL')
    const release = protect(folder)
    try {
      await installation.start(role)
      await delay(pauseMs)
    } finally {
      release()
    }
    await installation.untilAlive(role)
  },
})
