import type { SeededRandom } from '../../demo/random.js'

/** How many turns later a delayed event comes, at most. */
const DELAY = 40

/** Upstream on a bad day: some events come late, swapped with their neighbours, several times, or long after they were lost. */
export class UnreliablePublisher<E> {
  /** How often each of these happened. */
  readonly troubles: Record<string, number> = {}
  readonly #dice: SeededRandom
  readonly #story: Iterator<E>
  readonly #lostFor: number
  readonly #published: E[] = []
  /** What comes later than its turn. */
  #held: { event: E; turn: number }[] = []
  #turn = 0
  #isToldToTheEnd = false

  /** An event that is lost is found again after up to `lostFor` turns. */
  constructor(dice: SeededRandom, story: Iterable<E>, lostFor: number) {
    this.#dice = dice
    this.#story = story[Symbol.iterator]()
    this.#lostFor = lostFor
  }

  /** The story has ended, and nothing is held back. */
  get isDone(): boolean {
    return this.#isToldToTheEnd && this.#held.length === 0
  }

  /** What arrives in so many turns. Each turn tells one event of the story, if there is one left. */
  next(turns: number): E[] {
    const arriving: E[] = []
    for (let i = 0; i < turns; i++) arriving.push(...this.#next())
    return arriving
  }

  /** An event that was published before. */
  again(): E[] {
    const event = this.#published[this.#dice.below(this.#published.length)]
    if (event === undefined) return []
    this.#count('repeated')
    return [event]
  }

  /** Everything that is held back, in any order. */
  heldBack(): E[] {
    const left = this.#held.splice(0).map(({ event }) => event)
    const arriving: E[] = []
    while (left.length > 0) arriving.push(...left.splice(this.#dice.below(left.length), 1))
    this.#published.push(...arriving)
    return arriving
  }

  /** The rest of the story, and everything that was held back. */
  *rest(): Generator<E, void, void> {
    while (!this.#isToldToTheEnd) yield* this.#next()
    yield* this.heldBack()
  }

  #next(): E[] {
    this.#turn += 1
    const due = this.#held.filter(({ turn }) => turn <= this.#turn).map(({ event }) => event)
    this.#held = this.#held.filter(({ turn }) => turn > this.#turn)
    const { value, done } = this.#story.next()
    this.#isToldToTheEnd ||= done === true
    const arriving = done === true ? due : [...this.#publish(value), ...due]
    this.#published.push(...arriving)
    return arriving
  }

  #publish(event: E): E[] {
    const fate = this.#dice.below(100)
    if (fate < 15) return this.#hold('swapped', event, 1)
    if (fate < 30) return this.#hold('delayed', event, 2 + this.#dice.below(DELAY))
    if (fate < 36) return this.#hold('lost', event, DELAY + this.#dice.below(this.#lostFor))
    if (fate < 40) this.#hold('repeated', event, 1 + this.#dice.below(DELAY))
    return [event]
  }

  #hold(trouble: string, event: E, turns: number): E[] {
    this.#count(trouble)
    this.#held.push({ event, turn: this.#turn + turns })
    return []
  }

  #count(trouble: string): void {
    this.troubles[trouble] = (this.troubles[trouble] ?? 0) + 1
  }
}
