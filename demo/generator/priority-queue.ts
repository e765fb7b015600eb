/**
 * Who acts next: a heap with at most one entry per member, in typed arrays, so that a million creations cost a dozen
 * megabytes and no garbage. Ties go to the lower number, which makes the order a function of the entries alone.
 */
export class PriorityQueue {
  readonly #times: Float64Array
  readonly #members: Uint32Array
  #size = 0

  constructor(members: number) {
    this.#times = new Float64Array(members)
    this.#members = new Uint32Array(members)
  }

  /** When the next one acts; Infinity if none waits. */
  get nextTime(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#times[0] ?? Number.POSITIVE_INFINITY)
  }

  add(member: number, nextTime: number): void {
    this.#siftUp(this.#size++, member, nextTime)
  }

  /** Takes out the next one. Call only if one waits. */
  pop(): number {
    const first = this.#members[0] ?? 0
    const last = --this.#size
    if (last > 0) this.#siftDown(this.#members[last] ?? 0, this.#times[last] ?? 0)
    return first
  }

  #siftUp(from: number, member: number, nextTime: number): void {
    let slot = from
    while (slot > 0) {
      const parent = (slot - 1) >>> 1
      if (!this.#isBefore(member, nextTime, parent)) break
      this.#move(parent, slot)
      slot = parent
    }
    this.#put(slot, member, nextTime)
  }

  #siftDown(member: number, nextTime: number): void {
    let slot = 0
    for (;;) {
      let child = 2 * slot + 1
      if (child >= this.#size) break
      if (child + 1 < this.#size && this.#isBefore(this.#members[child + 1] ?? 0, this.#times[child + 1] ?? 0, child)) child++
      if (this.#isBefore(member, nextTime, child)) break
      this.#move(child, slot)
      slot = child
    }
    this.#put(slot, member, nextTime)
  }

  #isBefore(member: number, nextTime: number, slot: number): boolean {
    const other = this.#times[slot] ?? 0
    return nextTime < other || (nextTime === other && member < (this.#members[slot] ?? 0))
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#members[from] ?? 0, this.#times[from] ?? 0)
  }

  #put(slot: number, member: number, nextTime: number): void {
    this.#members[slot] = member
    this.#times[slot] = nextTime
  }
}
