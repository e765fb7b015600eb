import { NETWORK_FACTOR } from '../../contract/caller-limits.js'
import { networkOf } from '../rate-limit/client-key.js'

export interface Holding {
  /** The client key of the caller. */
  caller: string
  size: number
  /** Takes it away from the caller: others need the room. */
  displace(): void
}

/**
 * What callers hold at a time, bounded for each caller, for its network and in all. When there is too much, the oldest holding
 * has to go: what a normal caller holds is gone at once, so what stays belongs to slow callers.
 */
export class HeldByCallers<T extends Holding> {
  readonly #maxPerCaller: number
  readonly #maxInAll: number
  readonly #all = new Group<T>()
  /** By caller, and by its network. */
  readonly #byKey = new Map<string, Group<T>>()

  constructor(maxPerCaller: number, maxInAll: number) {
    this.#maxPerCaller = maxPerCaller
    this.#maxInAll = maxInAll
  }

  get size(): number {
    return this.#all.size
  }

  add(holding: T): void {
    this.#all.add(holding)
    for (const [key, max] of this.#boundsOf(holding)) {
      const group = this.#byKey.get(key) ?? new Group<T>()
      this.#byKey.set(key, group)
      group.add(holding)
      this.#shrink(group, max)
    }
    this.#shrink(this.#all, this.#maxInAll)
  }

  remove(holding: T): void {
    if (!this.#all.delete(holding)) return
    for (const [key] of this.#boundsOf(holding)) {
      const group = this.#byKey.get(key)
      group?.delete(holding)
      if (group?.size === 0) this.#byKey.delete(key)
    }
  }

  #shrink(group: Group<T>, max: number): void {
    for (const oldest of group.holdings) {
      // The only one may be larger than the bound.
      if (group.size <= max || group.holdings.size === 1) return
      this.remove(oldest)
      oldest.displace()
    }
  }

  #boundsOf({ caller }: Holding): [key: string, max: number][] {
    const network = networkOf(caller)
    const own: [string, number] = [caller, this.#maxPerCaller]
    return network === null ? [own] : [own, [network, this.#maxPerCaller * NETWORK_FACTOR]]
  }
}

class Group<T extends Holding> {
  /** Oldest first. */
  readonly holdings = new Set<T>()
  size = 0

  add(holding: T): void {
    this.holdings.add(holding)
    this.size += holding.size
  }

  delete(holding: T): boolean {
    const isDeleted = this.holdings.delete(holding)
    if (isDeleted) this.size -= holding.size
    return isDeleted
  }
}
