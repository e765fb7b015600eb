import type { Test } from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { withDeadLetters } from '../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import { withGeneration } from '../../src/engine/fold/open-generation.js'
import { Projector, type ProjectorOptions } from '../../src/engine/leader/projector.js'
import { type Order, type Request, RequestStore } from '../../src/engine/requests/request-store.js'
import { takeStatusSample } from '../../src/observe/engine-status.js'
import type { DocumentStore, Generation } from '../../src/ports/document-store.js'
import { eventually, type Fresh, type Opened, opened, type Subject } from '../ports/subject.js'
import type { Told } from '../spec/events.js'
import { ToldLog } from '../spec/log.js'
import { publicReads } from '../support/built-in-models.js'
import { type Dump, dumpOf } from '../support/dump.js'
import { dumpLive } from '../support/live-documents.js'
import { Reader } from '../support/models.js'

type Handles = Opened<DocumentStore, Fresh<DocumentStore>>

/** One projection of a test log, led by a projector, on any store. */
export class ProjectorFixture {
  readonly log: ToldLog
  readonly store: DocumentStore
  readonly requests: RequestStore
  readonly reader: Reader
  /** Warnings that the projectors have logged. */
  readonly warnings: string[] = []
  readonly #handles: Handles
  projection: Projection
  #projector: Projector | null = null

  static async open(
    t: Test,
    subject: Subject<DocumentStore>,
    told: readonly Told[],
    projection: Projection = feedProjection,
  ): Promise<ProjectorFixture> {
    // The projector's timers are unref'd, so something else must keep the process alive.
    const alive = setInterval(() => {}, 60_000)
    t.teardown(() => clearInterval(alive))
    const fixture = new ProjectorFixture(await opened(t, subject), new ToldLog(...told), projection)
    t.teardown(() => fixture.stop())
    await fixture.lead()
    return fixture
  }

  private constructor(handles: Handles, log: ToldLog, projection: Projection) {
    this.#handles = handles
    this.store = handles.store
    this.log = log
    this.projection = projection
    this.requests = new RequestStore(this.store)
    this.reader = new Reader(this.store)
  }

  get runner() {
    return this.#projector?.runners[0]
  }

  /** Starts a new leader, perhaps with other code, and waits until it is live. */
  async lead(projection = this.projection, options: ProjectorOptions = {}): Promise<void> {
    await this.start(projection, options)
    await eventually(async () => this.runner?.health.state === 'live')
    await this.caughtUp()
  }

  async start(projection = this.projection, options: ProjectorOptions = {}): Promise<void> {
    await this.stop()
    this.projection = projection
    const logger = { info() {}, warn: (_: object, message: string) => this.warnings.push(message), error() {} }
    this.#projector = new Projector([projection], this.log, await this.#handles.another(), logger, options)
    this.#projector.start()
  }

  async stop(): Promise<void> {
    const projector = this.#projector
    this.#projector = null
    await projector?.stop()
  }

  /** Appends events, and waits until readers see them. */
  async tell(...told: readonly Told[]): Promise<void> {
    await this.log.tell(...told)
    await this.caughtUp()
  }

  async caughtUp(): Promise<void> {
    const { last } = await this.log.bounds()
    await eventually(async () => (await this.livePosition()) >= last)
  }

  async livePosition(): Promise<number> {
    const snapshot = await this.store.snapshot([this.projection.name])
    try {
      return snapshot.model(this.projection.name).checkpoint.position
    } finally {
      snapshot.release()
    }
  }

  /** As `vitrine status` shows it. */
  status(projection: Projection) {
    const readIntegrity = async () => null
    return takeStatusSample({ log: async () => this.log, store: this.store, projections: [projection], readIntegrity })
  }

  place(order: Order): Promise<Request> {
    return this.requests.submit(this.projection.name, this.projection.version, order)
  }

  settled({ id }: Request): Promise<Request> {
    return eventually(async () => {
      const found = await this.requests.find(id)
      return found?.state === 'open' ? null : found
    })
  }

  async ask(order: Order): Promise<Request> {
    return this.settled(await this.place(order))
  }

  rebuild(): Promise<Request> {
    return this.ask({ kind: 'rebuild', maxRate: null })
  }

  async reached(request: Request, look: (found: Request) => boolean): Promise<Request> {
    return eventually(async () => {
      const found = await this.requests.find(request.id)
      return found !== null && look(found) && found
    })
  }

  generations(): Promise<Generation[]> {
    return this.store.generations(this.projection.name)
  }

  async states(): Promise<string[]> {
    return (await this.generations()).map(({ number, state }) => `g${number} ${state}`)
  }

  /** All documents of one generation, by default of the live one. */
  async dump(number?: number): Promise<Dump> {
    if (number === undefined) return dumpLive(this.store, this.projection)
    const generation = (await this.generations()).find((each) => each.number === number)
    if (generation === undefined) throw new Error(`there is no generation ${number}`)
    const { collections } = withDeadLetters(this.projection)
    return withGeneration(this.store, generation, collections, (opened) => dumpOf(collections, opened))
  }
}

/** The reads that one projection answers alone. */
export const READS: readonly { name: string; input: object }[] = publicReads
  .filter(({ models }) => models.every((model) => model === 'feed'))
  .flatMap(({ name }) =>
    name === 'get_community_feed'
      ? ['trending', 'recent', 'popular', 'remixed', 'liked'].map((sort) => ({ name, input: { sort, limit: 5 } }))
      : [{ name, input: {} }],
  )
