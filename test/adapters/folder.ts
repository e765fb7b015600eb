import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own for embedded stores under test. */
export const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'vitrine-test-'))

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

/** Whether any file below a folder has these bytes in it. */
export async function holdsBytes(folder: string, text: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (entry.isFile() && (await readFile(join(entry.parentPath, entry.name))).includes(text)) return true
  }
  return false
}
