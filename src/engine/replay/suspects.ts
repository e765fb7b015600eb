import type { Position } from '../../events/index.js'
import type { Collection, ModelView } from '../../ports/document-store.js'
import { type Discrepancy, discrepancy } from './compare-documents.js'
import { keptUnder } from './scan-collection.js'
import type { Shadow } from './shadow-replay.js'

/** Suspects remembered until they are looked at again; real differences beyond as many are counted, but not kept. */
const MOST = 10_000
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
  readonly #shadow: Shadow
  #waiting: Suspect[] = []
  #differing = 0
  readonly #discrepancies: Discrepancy[] = []

  constructor(shadow: Shadow) {
    this.#shadow = shadow
  }

  async add({ collection, id }: Suspect): Promise<void> {
    this.#waiting.push({ collection, id })
    if (this.#waiting.length >= MOST) await this.settle()
  }

  /** What is known once none of them waits any more. */
  async settle(): Promise<Findings> {
    // The walk that has led here took its time. What happened meanwhile is folded before the store has to hold on to a moment.
    await this.#shadow.follow()
    return this.#shadow.together(async (view) => {
      for (let i = 0; i < this.#waiting.length; i += PAGE) await this.#judge(view, this.#waiting.slice(i, i + PAGE))
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

  async #judge(view: ModelView, suspects: readonly Suspect[]): Promise<void> {
    for (const collection of new Set(suspects.map((suspect) => suspect.collection))) {
      const ids = suspects.filter((suspect) => suspect.collection === collection).map(({ id }) => id)
      const [kept, replayed] = await Promise.all([keptUnder(view, collection, ids), this.#shadow.reads.get(collection, ids)])
      const found = new Map(kept.map((each) => [each.id, each]))
      ids.forEach((id, i) => {
        this.#note(discrepancy(collection, id, found.get(id), replayed[i]))
      })
    }
  }

  #note(found: Discrepancy | null): void {
    if (found === null) return
    this.#differing += 1
    if (this.#discrepancies.length < MOST) this.#discrepancies.push(found)
  }
}
