import { EventEmitter, once } from 'node:events'
import { AckPolicy, createInbox, DeliverPolicy, type Msg, nanos, type Subscription } from 'nats'
import { type Connected, NatsUnavailableError } from './connection.js'
import { deliveredMessage, type StreamMessage } from './message.js'

/** The server finds the messages of so many subjects at once by its index. */
const MAX_FILTERS = 256
/** Of more subjects than this, the whole stream is read once. */
const MANY_SUBJECTS = 2048

/** Messages per request; as many again may wait here for the reader. */
const BATCH = 2000
const BATCH_BYTES = 16 * 1024 * 1024
const EXPIRES_MS = 30_000
const HEARTBEAT_MS = 500
/** After this long without a heartbeat, the server no longer knows the request. */
const SILENCE_MS = 2500
/** The server deletes an unused consumer after this time. */
const INACTIVE_MS = 30_000

export interface PullConsumerOptions {
  stream: string
  /** The first sequence to deliver. */
  from: number
  /** Only these subjects. */
  subjects?: readonly string[]
}

/**
 * The messages of a stream in order, starting at a sequence, no faster than they are taken: a consumer without
 * acknowledgements that requests one batch after the other. It does not recover. Any error breaks it for good, and its user
 * starts a new one after the last message taken, so that nothing is lost or repeated.
 */
export class PullConsumer {
  /** The number of messages when it started. */
  readonly pendingAtStart: number
  readonly #connected: Connected
  readonly #stream: string
  readonly #consumer: string
  readonly #inbox = createInbox()
  readonly #subscription: Subscription
  readonly #watchdog: NodeJS.Timeout
  /** Emits `arrival` when there is something to take; every waiting reader listens. */
  readonly #events = new EventEmitter().setMaxListeners(0)
  #queue: StreamMessage[] = []
  #requested = 0
  #delivered = 0
  #lastMessageAt = Date.now()
  #broken: Error | null = null

  static async start(connected: Connected, { stream, from, subjects }: PullConsumerOptions): Promise<PullConsumer> {
    const consumer = await connected.consumers.add(stream, {
      name: `vitrine-${createInbox().split('.').at(-1)}`,
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: Math.max(1, from),
      inactive_threshold: nanos(INACTIVE_MS),
      mem_storage: true,
      num_replicas: 1,
      ...(subjects === undefined ? {} : { filter_subjects: [...subjects] }),
    })
    return new PullConsumer(connected, stream, consumer.name, consumer.num_pending)
  }

  private constructor(connected: Connected, stream: string, consumer: string, pendingAtStart: number) {
    this.pendingAtStart = pendingAtStart
    this.#connected = connected
    this.#stream = stream
    this.#consumer = consumer
    this.#subscription = connected.nats.subscribe(this.#inbox, { callback: (error, message) => this.#receive(error, message) })
    this.#watchdog = setInterval(() => this.#watch(), HEARTBEAT_MS).unref()
    connected.interrupted.addEventListener('abort', this.#interrupted)
    if (connected.interrupted.aborted) this.#interrupted()
    else this.#request()
  }

  /** What has arrived, oldest first. Throws when it is broken and everything has been taken. */
  take(): StreamMessage[] {
    if (this.#queue.length === 0 && this.#broken !== null) throw this.#broken
    const taken = this.#queue
    this.#queue = []
    if (this.#requested === 0) this.#request()
    return taken
  }

  /** Settles when there is a message or an error to take, or when the signal aborts. */
  async untilArrival(signal?: AbortSignal): Promise<void> {
    if (this.#queue.length > 0 || this.#broken !== null || signal?.aborted) return
    await once(this.#events, 'arrival', signal === undefined ? {} : { signal }).catch(() => {})
  }

  get broken(): boolean {
    return this.#broken !== null
  }

  stop(): void {
    if (this.#broken !== null) return
    this.#break(new NatsUnavailableError('the delivery has ended'))
    this.#connected.consumers.delete(this.#stream, this.#consumer).catch(() => {})
  }

  readonly #interrupted = () => this.#break(new NatsUnavailableError('the connection to NATS was interrupted'))

  #watch(): void {
    if (this.#requested > 0 && Date.now() - this.#lastMessageAt > SILENCE_MS)
      this.#break(new NatsUnavailableError('NATS has fallen silent'))
  }

  #break(reason: Error): void {
    if (this.#broken !== null) return
    this.#broken = reason
    clearInterval(this.#watchdog)
    this.#connected.interrupted.removeEventListener('abort', this.#interrupted)
    this.#subscription.unsubscribe()
    this.#events.emit('arrival')
  }

  #request(): void {
    if (this.#broken !== null) return
    this.#requested = BATCH
    this.#lastMessageAt = Date.now()
    const maxBytes = Math.max(BATCH_BYTES, 2 * (this.#connected.nats.info?.max_payload ?? 0))
    const request = { batch: BATCH, max_bytes: maxBytes, expires: nanos(EXPIRES_MS), idle_heartbeat: nanos(HEARTBEAT_MS) }
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${this.#stream}.${this.#consumer}`
    this.#connected.nats.publish(subject, JSON.stringify(request), { reply: this.#inbox })
  }

  #receive(error: Error | null, message: Msg): void {
    if (this.#broken !== null) return
    this.#lastMessageAt = Date.now()
    if (error !== null) this.#break(error)
    else if (message.reply?.startsWith('$JS.ACK.')) this.#deliver(message)
    else this.#status(message)
  }

  #deliver(message: Msg): void {
    const delivered = deliveredMessage(message)
    this.#delivered += 1
    if (delivered.delivery !== this.#delivered) {
      this.#break(new NatsUnavailableError('a message got lost on the way'))
      return
    }
    this.#queue.push(delivered)
    this.#requested -= 1
    if (this.#requested === 0 && this.#queue.length < BATCH) this.#request()
    this.#events.emit('arrival')
  }

  /** 100 is a heartbeat. All others end the request; some mean that the consumer or its stream is gone. */
  #status({ headers }: Msg): void {
    const code = headers?.code ?? 0
    if (code === 100) return
    const description = headers?.description ?? ''
    const over = code === 404 || code === 408 || /exceeds maxbytes|batch completed/i.test(description)
    if (!over) {
      this.#break(new NatsUnavailableError(`NATS ended the delivery: ${code} ${description}`))
      return
    }
    this.#requested = 0
    if (this.#queue.length < BATCH) this.#request()
  }
}

/** The messages that are stored now. Of several subjects in any order; of many, those of others, too. */
export async function* storedMessages(
  connected: Connected,
  { subjects = [], ...wanted }: PullConsumerOptions,
): AsyncIterable<StreamMessage> {
  if (subjects.length === 0 || subjects.length > MANY_SUBJECTS) yield* storedWith(connected, wanted)
  else
    for (let begin = 0; begin < subjects.length; begin += MAX_FILTERS)
      yield* storedWith(connected, { ...wanted, subjects: subjects.slice(begin, begin + MAX_FILTERS) })
}

async function* storedWith(connected: Connected, wanted: PullConsumerOptions): AsyncIterable<StreamMessage> {
  const delivery = await PullConsumer.start(connected, wanted)
  try {
    for (let missing = delivery.pendingAtStart; missing > 0; ) {
      const messages = delivery.take()
      yield* messages
      missing -= messages.length
      if (missing > 0) await delivery.untilArrival()
    }
  } finally {
    delivery.stop()
  }
}
