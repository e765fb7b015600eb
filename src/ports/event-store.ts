import type { Position } from './event-log.js'

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
  /** Grows along the category, and may skip. Use it only to subscribe again after it. */
  position: Position
}

export type OnReached = (position: Position) => void

/** The revision of the last event the writer has seen, or `no stream` if it has seen none. */
export type ExpectedRevision = number | 'no stream'

export interface AppendOptions {
  /** A power cut may undo it, unless something was appended after it: whoever finds it missing does it again. */
  repeatable?: boolean
}

/** Small streams of events, each the history of one thing, written by many processes at once. */
export interface EventStore {
  /**
   * Appends one or more events, all or none, and returns the revision of the last. Later reads, in any process, see
   * them. Throws {@link WrongRevisionError} when the stream does not end where expected.
   *
   * Repeating an append whose answer was lost is harmless: when the events after the expected revision have the same ids
   * in the same order, nothing is written and the first answer is given again, even if the stream has grown since.
   */
  append(stream: StreamName, events: readonly NewStreamEvent[], expected: ExpectedRevision, options?: AppendOptions): Promise<number>
  /** The events of a stream in order, starting at a revision; none if there is no such stream. */
  read(stream: StreamName, from?: number): Promise<StreamEvent[]>
  /**
   * The events of all streams of a category after a position, then new ones as they are appended, by any process.
   * Every stream keeps its order; all subscriptions see the category in the same order. Ends when the signal aborts
   * or the store is closed. Iterate it once.
   *
   * Throws when it is interrupted: the caller subscribes again after the last position. `onReached` is called when the
   * store has answered, and later whenever there is nothing left to deliver up to a position.
   */
  subscribe(category: string, after: Position, signal: AbortSignal, onReached?: OnReached): AsyncIterable<CategoryEvent>
  /**
   * Deletes a stream with its bytes, as far as the store can: `read` no longer returns it. Appending to it afterwards is
   * undefined. EventStoreDB keeps the bytes, and shows them to new subscriptions, until it is scavenged. A stream that
   * does not exist is no error.
   */
  delete(stream: StreamName): Promise<void>
  close(): Promise<void>
}

export interface EventStoreOptions {
  /**
   * By category: the age in seconds at which its events expire. `read` and `subscribe` no longer return them. A stream
   * loses its oldest events first and the others keep their revisions, so a stream that starts above revision 0 is
   * expiring. Appending to a fully expired stream is undefined: no stream is ever used again. The bytes go without
   * further appends, except in EventStoreDB.
   */
  maxAges?: Readonly<Record<string, number>>
  /** Milliseconds since 1970, where the store's clock is ours. Tests set it, because they cannot wait for a day to pass. */
  now?: () => number
}

const STREAM_NAME = /^([A-Za-z0-9_]+)-[A-Za-z0-9_-]+$/

/** Everything before the first hyphen. Throws {@link StreamNameError}: names become NATS subjects and EventStoreDB streams. */
export function categoryOf(stream: StreamName): string {
  const category = STREAM_NAME.exec(stream)?.[1]
  if (category === undefined) throw new StreamNameError(stream)
  return category
}

/** What was recorded at this time or earlier has expired. */
export const expiredUntil = ({ maxAges = {} }: EventStoreOptions, category: string, now: number): number =>
  now - (maxAges[category] ?? Number.POSITIVE_INFINITY) * 1000

/** The revision of a stream without events. */
export const NO_REVISION = -1

/**
 * Compares an append with what its stream holds, for stores that do it themselves. Returns the revision to answer when this append
 * was made before, `null` when the events can be appended now. Throws {@link WrongRevisionError}.
 */
export function revisionOfRepeat(
  stream: StreamName,
  events: readonly NewStreamEvent[],
  expected: ExpectedRevision,
  stored: readonly Pick<StreamEvent, 'id' | 'revision'>[],
): number | null {
  const last = stored.at(-1)?.revision ?? null
  const before = expected === 'no stream' ? NO_REVISION : expected
  const since = stored.filter(({ revision }) => revision > before)
  if (events.every(({ id }, i) => id === since[i]?.id)) return before + events.length
  if (before !== (last ?? NO_REVISION)) throw new WrongRevisionError(stream, expected, last)
  return null
}

/** Another writer appended first, or the stream is not what the writer expected. */
export class WrongRevisionError extends Error {
  override name = 'WrongRevisionError'
  constructor(
    readonly stream: StreamName,
    readonly expected: ExpectedRevision,
    /** Where the stream ends; `null` when there is none. */
    readonly actual: number | null,
  ) {
    super(`${stream} ends at ${actual === null ? 'no event' : `revision ${actual}`}, not at ${expected} as expected`)
  }
}

/** The store cannot be reached now; a later attempt may succeed. */
export class EventStoreUnavailableError extends Error {
  override name = 'EventStoreUnavailableError'
}

/** A name must be two words of letters, digits and `_`, joined by a hyphen; the second may hold more hyphens. */
export class StreamNameError extends Error {
  override name = 'StreamNameError'
  constructor(stream: string) {
    super(`"${stream}" is not a stream name such as "askjob-8f1c"`)
  }
}
