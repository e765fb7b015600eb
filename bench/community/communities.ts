import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { readConfig } from '../../src/compose/config.js'
import { openDocuments } from '../../src/compose/stores.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import { withStore } from '../servers.js'
import { modelsPath, withFolder } from '../workspace.js'
import { FOLDED, foldBaseCommunity, replicateCommunity } from './index.js'

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

  /** The same in a MongoDB of its own; `null` without a server for this machine. */
  async inMongo<T>(creations: number, use: (store: DocumentStore, url: string) => Promise<T>): Promise<T | null> {
    const folder = await this.of(FOLDED)
    return withFolder((own) =>
      withStore('mongodb', own, async ({ environment }) => {
        const from = await openSqliteStore(modelsPath(folder))
        const store = await openDocuments(readConfig(environment))
        await replicateCommunity(from, store, creations)
        await from.close()
        const used = await use(store, environment.MONGODB_URL ?? '')
        await store.close()
        return used
      }),
    )
  }

  end(): void {
    for (const folder of this.#folders.values()) rmSync(folder, { recursive: true, force: true })
  }
}
