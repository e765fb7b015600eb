import type { Position } from '../../events/index.js'

/** An event of an aggregate, as the log holds it. */
export interface AggregateEvent {
  position: Position
  eventId: string
  /** `null` where it cannot be read. */
  sequence: number | null
  /** It cannot be folded: another event with its sequence takes its place. */
  isPoison: boolean
}

/** Says of each event of one aggregate, in log order, how it came: late, again, in conflict. `null`: in order. */
export class ArrivalNotes {
  readonly #first = new Map<number, AggregateEvent>()
  readonly #positions = new Map<string, Position>()
  #highest = 0

  of(event: AggregateEvent): string | null {
    const { sequence, position, eventId, isPoison } = event
    if (sequence === null) return null
    const first = this.#first.get(sequence)
    const earlier = this.#positions.get(`${sequence} ${eventId}`)
    this.#positions.set(`${sequence} ${eventId}`, earlier ?? position)
    if (earlier !== undefined) return `repeats position ${earlier}`
    if (first !== undefined && !first.isPoison)
      return isPoison ? null : `conflict: position ${first.position} has sequence ${sequence}, too`
    if (first === undefined || !isPoison) this.#first.set(sequence, event)
    const highest = this.#highest
    this.#highest = Math.max(highest, sequence)
    if (first !== undefined) return isPoison ? null : `late: in place of position ${first.position}`
    return sequence < highest ? `late: sequence ${sequence} after ${highest}` : null
  }
}
