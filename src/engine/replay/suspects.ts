import type { Position } from '../../events/index.js'
import type { Collection, ModelView } from '../../ports/document-store.js'
import { type Discrepancy, discrepancy } from './compare-documents.js'
import { readStored } from './scan-collection.js'
import type { ShadowReplay } from './shadow-replay.js'

/** Suspects remembered until they are looked at again; real differences beyond as many are counted, but not kept. */
const MAX_SUSPECTS = 10_000
const PAGE = 1000

export interface Findings {
  generation: number
  position: Position
  /** How many documents differ. */
  differing: number
  /** The first of them: beyond that the model is better rebuilt than repaired. */
  discrepancies: Discrepancy[]
}

interface Suspect {
  collection: Collection
  id: string
}

/**
 * Documents that looked different, while the model may just have moved on. They are looked at again with both sides at the
 * same position, as soon as there are many: none is let go unseen, however many there are.
 */
export class Suspects {
  readonly #shadow: ShadowReplay
  #waiting: Suspect[] = []
  #differing = 0
  readonly #discrepancies: Discrepancy[] = []

  constructor(shadow: ShadowReplay) {
    this.#shadow = shadow
  }

  async add({ collection, id }: Suspect): Promise<void> {
    this.#waiting.push({ collection, id })
    if (this.#waiting.length >= MAX_SUSPECTS) await this.recheck()
  }

  /** What is known once none of them waits any more. */
  async recheck(): Promise<Findings> {
    // The walk that has led here took its time. What happened meanwhile is folded before the store has to hold on to a moment.
    await this.#shadow.catchUp()
    return this.#shadow.atSamePosition(async (view) => {
      for (let i = 0; i < this.#waiting.length; i += PAGE) await this.#compareNow(view, this.#waiting.slice(i, i + PAGE))
      this.#waiting = []
      const { generation, checkpoint } = view
      return {
        generation: generation.number,
        position: checkpoint.position,
        differing: this.#differing,
        discrepancies: this.#discrepancies,
      }
    })
  }

  async #compareNow(view: ModelView, suspects: readonly Suspect[]): Promise<void> {
    for (const collection of new Set(suspects.map((suspect) => suspect.collection))) {
      const ids = suspects.filter((suspect) => suspect.collection === collection).map(({ id }) => id)
      const [kept, replayed] = await Promise.all([readStored(view, collection, ids), this.#shadow.reads.get(collection, ids)])
      const found = new Map(kept.map((each) => [each.id, each]))
      ids.forEach((id, i) => {
        this.#addFinding(discrepancy(collection, id, found.get(id), replayed[i]))
      })
    }
  }

  #addFinding(found: Discrepancy | null): void {
    if (found === null) return
    this.#differing += 1
    if (this.#discrepancies.length < MAX_SUSPECTS) this.#discrepancies.push(found)
  }
}
