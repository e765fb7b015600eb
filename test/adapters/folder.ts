import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A new folder for embedded stores under test. */
export const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'vitrine-test-'))

/** A folder with these files in it, by their paths. Removed with the process that runs the test. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

/** Whether any file below a folder has these bytes in it. */
export async function holdsBytes(folder: string, text: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (entry.isFile() && (await bytesOf(join(entry.parentPath, entry.name))).includes(text)) return true
  }
  return false
}

/** None when the file has gone since it was listed, as those beside an open database do. */
async function bytesOf(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  })
}
