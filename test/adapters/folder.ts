import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own for embedded stores under test. */
export const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'vitrine-test-'))

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })
