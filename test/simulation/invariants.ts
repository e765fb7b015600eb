import { deepStrictEqual } from 'node:assert/strict'
import { arrivals } from '../../readmodels/integrity/documents.js'
import { listParked } from '../../src/engine/dead-letters/dead-letter-queries.js'
import { listDiscards } from '../../src/engine/dead-letters/discards.js'
import { DEAD_LETTER_COLLECTIONS } from '../../src/engine/definition/dead-letter-collections.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import { publisherIn } from '../../src/events/index.js'
import type { Checkpoint, Generation } from '../../src/ports/document-store.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { Community } from '../reference-model/community.js'
import { missingSequences } from '../reference-model/missing-sequences.js'
import { projections } from '../support/built-in-models.js'
import { decode } from '../support/decode.js'
import { type Dump, dumpOf, sameDump, withoutReasons } from '../support/dump.js'
import { DOMAIN, eventsOf, Reader } from '../support/models.js'
import { project } from '../support/project-log.js'
import { sameAnswers } from '../support/same-answers.js'
import type { EngineWorld } from './engine-world.js'

/** What must always hold. Every method throws if it does not. */
export class Invariants {
  readonly #world: EngineWorld
  readonly #seen = new Map<string, number>()

  constructor(world: EngineWorld) {
    this.#world = world
  }

  /** Readers never go back in time, across commits, switch-overs and rollbacks. */
  async readersNeverGoBack(): Promise<void> {
    for (const { name } of projections) {
      const live = (await this.#world.store.generations(name)).find(({ state }) => state === 'live')
      if (live === undefined) {
        if (this.#seen.has(name)) throw new Error(`${name} had a live generation and has none now`)
        continue
      }
      const { position } = await this.#checkpointOf(live)
      const before = this.#seen.get(name) ?? 0
      if (position < before) throw new Error(`readers of ${name} have gone back from ${before} to ${position}`)
      this.#seen.set(name, position)
    }
  }

  /** What is still to be done; `null` when all projections have caught up and every request has ended. */
  async unsettled(): Promise<string | null> {
    const end = this.#world.records.at(-1)?.position ?? 0
    for (const { name } of projections) {
      const [request] = await this.#world.requests.open(name)
      if (request !== undefined) return `${name} leaves a request open: ${JSON.stringify(request)}`
      const generations = await this.#world.store.generations(name)
      const live = generations.find(({ state }) => state === 'live')
      if (generations.some(({ state }) => state === 'loading')) return `${name} has a half-filled generation`
      if (live === undefined) return `${name} is not loaded`
      const { position, floor } = await this.#checkpointOf(live)
      if (position < end) return `${name} is at ${position} of ${end}`
      for (const each of generations)
        if (each.state === 'retired' && (await this.#checkpointOf(each)).position < floor)
          return `g${each.number} of ${name} has not reached the removal at ${floor}`
    }
    return null
  }

  /** Once settled, every generation holds what one undisturbed fold of the log gives. */
  async generationsMatchReplay(): Promise<void> {
    for (const projection of projections) {
      const generations = await this.#world.store.generations(projection.name)
      const states = generations.map(({ state }) => state)
      deepStrictEqual(
        states.filter((state) => state !== 'retired'),
        ['live'],
        `${projection.name} is left with ${states}`,
      )
      for (const generation of generations) await this.#matchesReplay(projection, generation)
    }
  }

  /** With nothing parked, the answers are those of the reference model. `false` when something is parked, or was discarded in some models only. */
  async answersMatchReferenceModel(language: string): Promise<boolean> {
    const discarded = new Map<number, number>()
    if (await this.hasDeadLetters()) return false
    for (const { name } of projections) {
      for (const { position } of await listDiscards(this.#world.store, name)) discarded.set(position, (discarded.get(position) ?? 0) + 1)
    }
    // An owner in some models and not in others: there is no single answer.
    const owners = this.#world.records.filter((record) => publisherIn(decode(record)) !== null)
    if (owners.some(({ position }) => (discarded.get(position) ?? MODELS_OF_CREATIONS) < MODELS_OF_CREATIONS)) return false
    const events = eventsOf(this.#world.records.filter(({ position }) => !discarded.has(position)))
    await sameAnswers(new Reader(this.#world.store), new Community(events, DOMAIN), language)
    return true
  }

  async hasDeadLetters(): Promise<boolean> {
    for (const { name } of projections) if ((await listParked(this.#world.store, name)).length > 0) return true
    return false
  }

  /** What the `integrity` projection calls missing has not arrived, and nothing else. */
  async gapsAreThoseOfTheLog(): Promise<void> {
    const snapshot = await this.#world.store.snapshot(['integrity'])
    const docs = await snapshot.model('integrity').range(arrivals, { index: '_id', equals: [], limit: Number.MAX_SAFE_INTEGER })
    const reported = docs.map(({ _id, missing }) => [_id, missing])
    deepStrictEqual(Object.fromEntries(reported), Object.fromEntries(missingSequences(this.#world.records)))
  }

  async #matchesReplay(projection: Projection, generation: Generation): Promise<void> {
    const collections = [...projection.collections, ...DEAD_LETTER_COLLECTIONS]
    const opened = await this.#world.store.openGeneration(generation, collections)
    const { position } = await opened.checkpoint()
    const actual = comparable(await dumpOf(collections, opened), this.#world.redactedPoison)
    const folded = this.#world.records.filter((record) => record.position <= position)
    const discarded = new Set((await listDiscards(this.#world.store, projection.name)).map((each) => each.position))
    const records = generation.state === 'live' ? without(folded, discarded) : asRetired(folded, discarded, actual)
    try {
      sameDump(actual, comparable(await project(projection, records), this.#world.redactedPoison))
    } catch (error) {
      throw new Error(`${projection.name} g${generation.number} (${generation.state}) at ${position}`, { cause: error })
    }
  }

  async #checkpointOf(generation: Generation): Promise<Checkpoint> {
    return (await this.#world.store.openGeneration(generation, [])).checkpoint()
  }
}

const without = (records: readonly LogRecord[], discarded: ReadonlySet<number>): LogRecord[] =>
  records.filter(({ position }) => !discarded.has(position))

const MODELS_OF_CREATIONS = projections.filter(({ on }) => 'creation.published' in on).length

/** Discards and redactions after a generation was retired reach it only with a rollback; until then the events stay parked there. */
function asRetired(records: readonly LogRecord[], discarded: ReadonlySet<number>, dump: Dump): LogRecord[] {
  return records.flatMap((record) => {
    const isPoison = decode(record).outcome === 'poison'
    if (dump.has(`letters/${String(record.position).padStart(16, '0')}`)) return [isPoison ? record : { ...record, payload: '{' }]
    // It may have removed its creation before it was discarded.
    if (isPoison && /"removed":true/.test(dump.get(`items/${record.subject.slice('creation/'.length)}`) ?? '')) return [record]
    return discarded.has(record.position) ? [] : [record]
  })
}

/**
 * `integrity` lets another event take the place of poison, but not of what redaction has made of it. Where that happened, only
 * a rebuild counts again.
 */
function comparable(dump: Dump, redactedPoison: ReadonlySet<string>): Dump {
  const documents = [...withoutReasons(dump)]
  if (redactedPoison.size === 0) return new Map(documents)
  const isRecounted = (name: string) => {
    const [collection, ...id] = name.split(/[/~]/)
    if (collection === 'integrity') return true
    return ['arrivals', 'arrivedIds', 'conflicts'].includes(collection ?? '') && redactedPoison.has(id.slice(0, 2).join('/'))
  }
  return new Map(documents.filter(([name]) => !isRecounted(name)))
}
