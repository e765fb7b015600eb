import type { DocumentStore, Generation } from '../../ports/document-store.js'
import { liveGeneration } from '../fold/open-generation.js'
import type { EngineLogger } from '../fold/telemetry.js'
import { RequestStore } from '../requests/request-store.js'
import { wasRolledBack } from '../requests/rollbacks.js'

/** When the live generation is of another version than this code: build one of ours, or keep serving it as it is. */
export type OnVersionChange = 'rebuild' | 'keep'

interface VersionContext {
  projection: { name: string; version: number }
  store: DocumentStore
  logger: EngineLogger
  onVersionChange: OnVersionChange
}

/** What a projector does about a live generation of another version. */
export class VersionChange {
  readonly #context: VersionContext
  /** A rebuild for a new version is requested once: if it fails, an operator has to look first. */
  #isRequested = false
  #isSaid = false

  constructor(context: VersionContext) {
    this.#context = context
  }

  /** The live generation, if it is of another version than this code. */
  async otherLive(): Promise<Generation | null> {
    const { store, projection } = this.#context
    const live = await liveGeneration(store, projection.name)
    if (live === null) return null
    if (live.version !== projection.version) return live
    // If it is replaced from now on, that is a rollback, which must not be undone.
    this.#isRequested = true
    return null
  }

  /**
   * We cannot fold into another version's documents, but a process of that version may. So the lead is left to it,
   * unless a generation of our version is requested.
   */
  async leavesLeadTo(live: Generation): Promise<boolean> {
    const { store, projection, logger, onVersionChange } = this.#context
    const { name, version } = projection
    const requests = new RequestStore(store)
    // Only forwards: a restarted process of the old release must not undo the new one, nor a new one a rollback.
    if (onVersionChange === 'rebuild' && !this.#isRequested && live.version < version) {
      this.#isRequested = true
      if (!(await wasRolledBack(store, name, version))) await requests.submit(name, version, { kind: 'rebuild', maxRate: null })
    }
    if ((await requests.open(name)).some((request) => request.version === version)) return false
    const details = { projection: name, generation: live.number, liveVersion: live.version, version }
    if (!this.#isSaid)
      logger.warn(
        details,
        `the live generation is of another version, which this process cannot keep up to date: run "vitrine rebuild ${name}"`,
      )
    this.#isSaid = true
    return true
  }
}
