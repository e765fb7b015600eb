import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { modelsPath } from '../workspace.js'
import { foldBaseCommunity, replicateCommunity } from './index.js'

/** The communities of one run, in SQLite: made at first use, shared by all measurements, removed at the end. */
export class Communities {
  readonly #folders = new Map<number, string>()

  /** A data folder with so many creations, whose log is that of the folded ones. */
  async of(creations: number): Promise<string> {
    const known = this.#folders.get(creations)
    if (known !== undefined) return known
    console.error(`making a community of ${creations} creations …`)
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
    this.#folders.set(creations, folder)
    await foldBaseCommunity(folder)
    const store = await openSqliteStore(modelsPath(folder))
    await replicateCommunity(store, store, creations)
    await store.close()
    return folder
  }

  end(): void {
    for (const folder of this.#folders.values()) rmSync(folder, { recursive: true, force: true })
  }
}
