import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporaryFolder } from '../adapters/folder.js'

const IN_MEMORY = '/dev/shm'

/** What a server under test may fill. Containers often have a few megabytes only. */
const ROOM = 4 * 2 ** 30

/**
 * A folder for a server that flushes to disk at every commit: in memory if there is room, because tests would wait for
 * little else. A killed server finds everything again, as on a disk, as long as the machine runs.
 */
export async function memoryFolder(): Promise<string> {
  // Named after the process's own temporary folder, as its janitor expects.
  return (await hasRoom()) ? mkdtemp(join(IN_MEMORY, `${tmpdir().replaceAll('/', '~')}-`)) : temporaryFolder()
}

async function hasRoom(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(IN_MEMORY)
    return bavail * bsize >= ROOM
  } catch {
    return false
  }
}
