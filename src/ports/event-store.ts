import type { Position } from '../events/ids.js'

/** `askjob-8f1c`: the category, a hyphen, an id. See {@link categoryOf} for the characters allowed. */
export type StreamName = `${string}-${string}`

export interface NewStreamEvent {
  /** A UUID, by which a repeated append is recognised. */
  id: string
  type: string
  /** Plain JSON. */
  data: Record<string, unknown>
}

export interface StreamEvent extends NewStreamEvent {
  stream: StreamName
  /** The first event of a stream has revision 0; there are no holes. */
  revision: number
  /** Milliseconds since 1970, by the store's clock. */
  recordedAt: number
}

/** An event as a subscription delivers it. */
export interface CategoryEvent extends StreamEvent {
  /** Grows along the category, and may skip. Only good for subscribing again behind it. */
  position: Position
}

/** The revision of the last event the writer has seen, or that it has seen none, or that it does not care. */
export type ExpectedRevision = number | 'no stream' | 'any'

/** Small streams of events, each the history of one thing, written by many processes at once. */
export interface EventStore {
  /**
   * Appends one or more events, all or none, and gives the revision of the last. Whoever reads after that, in
   * whichever process, sees them. Throws {@link WrongRevisionError} when the stream does not end where expected.
   *
   * Repeating an append whose answer got lost is harmless: when the events that follow the expected revision have
   * these very ids in this order, nothing is written and the answer is that of the first time, however far the
   * stream has gone since. `any` names no place to look at, so there a repeat is recognised only while the stream
   * still ends with these events.
   */
  append(stream: StreamName, events: readonly NewStreamEvent[], expected: ExpectedRevision): Promise<number>
  /** The events of a stream in order, from a revision on; none if there is no such stream. */
  read(stream: StreamName, from?: number): Promise<StreamEvent[]>
  /**
   * The events of all streams of a category behind a position, then the new ones as they come, by whichever process.
   * Every stream keeps its order; all subscriptions see the category in the same order. Ends when the signal aborts
   * or the store is closed. To be iterated once.
   */
  subscribe(category: string, after: Position, signal: AbortSignal): AsyncIterable<CategoryEvent>
  /**
   * Lets the events of a category, also those it has, expire at this age: neither `read` nor `subscribe` gives them
   * any more. A stream loses its oldest events first and the others keep their revisions, so one that begins behind
   * 0 is on its way out. Once all has expired, what an append to it does is open: no stream is ever used again.
   * Whole seconds, because EventStoreDB counts in them.
   */
  retain(category: string, seconds: number): Promise<void>
  close(): Promise<void>
}

const STREAM_NAME = /^([A-Za-z0-9_]+)-[A-Za-z0-9_-]+$/

/** Everything before the first hyphen. Throws {@link StreamNameError}: names become NATS subjects and EventStoreDB streams. */
export function categoryOf(stream: StreamName): string {
  const category = STREAM_NAME.exec(stream)?.[1]
  if (category === undefined) throw new StreamNameError(stream)
  return category
}

/** Somebody else appended first, or the stream is not what the writer thought. */
export class WrongRevisionError extends Error {
  override name = 'WrongRevisionError'
  constructor(
    readonly stream: StreamName,
    readonly expected: ExpectedRevision,
    /** Where the stream does end; `null` when there is none. */
    readonly actual: number | null,
  ) {
    super(`${stream} ends at ${actual === null ? 'no event' : `revision ${actual}`}, not at ${expected} as expected`)
  }
}

/** The store cannot be reached now; trying again later may help. */
export class EventStoreUnavailableError extends Error {
  override name = 'EventStoreUnavailableError'
}

/** Two words of letters, digits and `_` joined by a hyphen, of which the second may hold more hyphens. */
export class StreamNameError extends Error {
  override name = 'StreamNameError'
  constructor(stream: string) {
    super(`"${stream}" is not a stream name such as "askjob-8f1c"`)
  }
}
