/** Cached answers over models that a test advances itself, so that it decides when each of them changes. */

import type { Test } from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { profilesProjection } from '../../projections/profiles/index.js'
import { sharesProjection } from '../../projections/shares/index.js'
import { tagsProjection } from '../../projections/tags/index.js'
import type { PlainRead } from '../../src/contract/operation.js'
import { PublicUrls } from '../../src/contract/public-urls.js'
import { AnswerCache, type AnswerCacheOptions, type EncodedAnswer } from '../../src/operations/cache/answer-cache.js'
import { KeptDocuments } from '../../src/operations/cache/kept-documents.js'
import { ModelVersions, type ModelVersionsOptions } from '../../src/operations/cache/model-versions.js'
import { ReadExecutor } from '../../src/operations/read-executor.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { READ_MODELS } from '../support/built-in-models.js'
import { featured, published, registered, type Told } from './events.js'
import { Script } from './script.js'
import { World } from './world.js'

const PROJECTIONS = [feedProjection, tagsProjection, profilesProjection, sharesProjection]

/** The read side of one process, which is notified of changes by its own handle of the store. */
export class Reading {
  readonly operations: ReadExecutor
  readonly answers: AnswerCache
  readonly versions: ModelVersions
  made = 0

  constructor(
    t: Test,
    store: DocumentStore,
    { announceRemoval, ...options }: AnswerCacheOptions & Pick<ModelVersionsOptions, 'announceRemoval'> = {},
  ) {
    this.versions = new ModelVersions(store, READ_MODELS, announceRemoval === undefined ? {} : { announceRemoval })
    const kept = new KeptDocuments(this.versions, READ_MODELS)
    this.versions.onRemoval(() => void kept.dropChanged())
    this.operations = new ReadExecutor(store, new PublicUrls('vitrine.example'), {
      versions: this.versions,
      kept,
      instrument: (_name, run) => {
        this.made += 1
        return run()
      },
    })
    this.answers = new AnswerCache(this.operations, this.versions, options)
    t.teardown(() => this.versions.close())
  }

  async read(operation: PlainRead, input: Record<string, unknown> = {}): Promise<EncodedAnswer & { text: string }> {
    const answer = await this.answers.read(operation, input)
    return { ...answer, text: answer.body.toString() }
  }
}

/** All models that are read, live in one store. */
export async function liveModels(t: Test, store: DocumentStore) {
  const models = await Promise.all(PROJECTIONS.map((projection) => World.open(t, projection, { documents: store })))
  for (const model of models) await model.promote()
  return {
    async deliver(records: readonly LogRecord[]): Promise<void> {
      for (const model of models) await model.deliver(records)
    },
  }
}

const START = [
  registered('ann', { displayName: 'Ann Erasable' }),
  registered('bob'),
  published('c1', { by: 'ann', slug: 'clock', title: { en: 'Clock of Ann Erasable' }, tags: ['time'] }),
  published('c2', { by: 'bob', slug: 'clock', title: { en: 'Clock of Bob' }, tags: ['time'] }),
  featured('c1', true),
]

/** The models of two creators with a creation each, and a way to tell them more. */
export async function started<F extends { store: DocumentStore }>(t: Test, opened: F) {
  const script = new Script()
  const models = await liveModels(t, opened.store)
  const tell = (...told: readonly Told[]) => models.deliver(script.write(...told))
  await tell(...START)
  return { ...opened, script, tell }
}
