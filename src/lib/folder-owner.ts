/** What root creates in the folder of another user belongs to that user: the service that writes there is run by them. */
import { closeSync, existsSync, fchownSync, lchownSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Call it before opening a file that may not exist yet. */
export function createForOwner(path: string): void {
  const folder = dirname(path)
  if (!isRootAtAnothers(folder) || existsSync(path)) return
  // Exclusive, and given away by its handle: not a file or a link that the other user has put there meanwhile.
  const file = openSync(path, 'ax')
  try {
    give(path, folder, (uid, gid) => fchownSync(file, uid, gid))
  } finally {
    closeSync(file)
  }
}

/** Gives a new folder, with all in it, to the owner of `like`. */
export function giveToOwnerOf(like: string, folder: string): void {
  if (!isRootAtAnothers(like)) return
  for (const name of ['', ...readdirSync(folder, { encoding: 'utf8', recursive: true })]) {
    const path = join(folder, name)
    give(path, like, (uid, gid) => lchownSync(path, uid, gid))
  }
}

const isRootAtAnothers = (folder: string): boolean => process.getuid?.() === 0 && statSync(folder).uid !== 0

function give(path: string, like: string, chown: (uid: number, gid: number) => void): void {
  const { uid, gid } = statSync(like)
  try {
    chown(uid, gid)
  } catch (error) {
    rmSync(path, { recursive: true })
    if (error instanceof Error)
      error.message = `${like} belongs to user ${uid}, and root may not give files away here: run this as that user`
    throw error
  }
}
