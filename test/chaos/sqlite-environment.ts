/** An installation on SQLite, in a folder on a disk small enough to be filled. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SqliteDocumentStore } from '../../src/adapters/sqlite/document-store.js'
import { SqliteEventLog } from '../../src/adapters/sqlite/event-log.js'
import { SqliteEventStore } from '../../src/adapters/sqlite/event-store.js'
import type { Site, Trouble } from './environment.js'
import type { Member } from './installation.js'
import { processTroubles } from './process-faults.js'
import { SmallDisk } from './small-disk.js'
import { writeProtection } from './write-protection.js'

export async function sqliteSite(told: (line: string) => void): Promise<Site> {
  const disk = new SmallDisk()
  const folder = disk.path
  const documents = await SqliteDocumentStore.open(join(folder, 'models'))
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
    members: ['projector', 'query', 'ask'],
    troubles: [
      ...processTroubles('projector', 4),
      ...processTroubles('query', 1),
      ...processTroubles('ask', 1),
      ...(disk.isSmall ? [fullDisk(disk)] : []),
      ...(protect === null
        ? []
        : ['models', 'log'].flatMap((part) =>
            (['projector', 'query'] as const).map((member) => readOnly(join(folder, part), part, member, protect)),
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

const fullDisk = (disk: SmallDisk): Trouble => ({
  name: 'full disk',
  with: 'disk',
  weight: 6,
  async strike(household, dice) {
    const makeRoom = await disk.fill()
    try {
      await household.publish(20)
      await delay(dice.below(700))
    } finally {
      makeRoom()
    }
  },
})

/** Whoever has a file open may go on writing to it, so somebody comes who has not. */
const readOnly = (folder: string, part: string, member: Member, protect: (folder: string) => () => void): Trouble => ({
  name: `read-only ${part} for ${member}`,
  with: member,
  weight: 2,
  async strike(household, dice) {
    const pauseMs = 1000 + dice.below(2000)
    await household.leave(member, 'SIGKILL')
    const release = protect(folder)
    try {
      await household.start(member)
      await delay(pauseMs)
    } finally {
      release()
    }
    await household.isThere(member)
  },
})
