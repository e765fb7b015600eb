/** After any events, an answer that the cache calls current is byte for byte what a new read gives. */
import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { openSqliteStore } from '../../src/adapters/sqlite/document-store.js'
import { ServiceError } from '../../src/contract/errors.js'
import type { Operation } from '../../src/contract/operation.js'
import { PublicUrls } from '../../src/contract/public-urls.js'
import { AnswerCache } from '../../src/operations/cache/answer-cache.js'
import { ModelVersions } from '../../src/operations/cache/model-versions.js'
import { ReadExecutor } from '../../src/operations/read-executor.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { CATEGORIES, HANDLES, SLUGS } from '../reference-model/arbitrary-fields.js'
import { cuts, logs } from '../reference-model/arbitrary-log.js'
import { busyLogs } from '../reference-model/busy-logs.js'
import { READ_MODELS, publicReads as registry } from '../support/built-in-models.js'
import { memoryStore } from '../support/memory-store.js'
import { DOMAIN, Models } from '../support/models.js'
import { holds } from '../support/property.js'
import { thorough } from '../support/tier.js'

const QUESTIONS: [name: string, input: Record<string, unknown>][] = [
  ...['trending', 'recent', 'popular', 'remixed', 'liked'].flatMap((sort): [string, Record<string, unknown>][] => [
    ['get_community_feed', { sort }],
    ['get_community_feed', { sort, limit: 2 }],
    ['get_community_feed', { sort, category: CATEGORIES[0] }],
    ['get_community_feed', { sort, tag: 'fun', featuredOnly: true }],
  ]),
  ...['apple', 'red app', 'a'].map((q): [string, Record<string, unknown>] => ['get_community_feed', { q, limit: 3 }]),
  ['get_popular_tags', {}],
  ['get_community_landing', {}],
  ...[...HANDLES, 'maker'].flatMap((handle): [string, Record<string, unknown>][] => [
    ['get_creator_profile', { handle }],
    ['get_creator_followers', { handle, limit: 2 }],
    ['get_creator_following', { handle }],
    ...[...SLUGS, 'p1', 'p7'].map((slug): [string, Record<string, unknown>] => ['get_app_share', { handle, slug }]),
  ]),
]

/** Found current although their models had moved on. */
let spared = 0

/** Some of the questions after each stretch of a log, so that answers of many ages are looked at. */
async function check(store: DocumentStore, records: Parameters<Models['through']>[0], cut: readonly number[]): Promise<void> {
  const models = await Models.begin({ store, cut, loading: 0 })
  const versions = new ModelVersions(store, READ_MODELS)
  const operations = new ReadExecutor(store, new PublicUrls(DOMAIN), { versions })
  let now = 0
  const answers = new AnswerCache(operations, versions, { now: () => now })
  try {
    for (let end = 1, round = 0; end <= records.length; end += cut[round % cut.length] ?? 1, round++) {
      await models.through(records.slice(0, end))
      // The notice of the change may still be on its way, and an outdated answer must be computed again.
      versions.expire()
      now += 1000
      for (const [name, input] of QUESTIONS.filter((_, i) => (i + round) % 3 !== 0)) {
        const operation = registry.find((candidate) => candidate.name === name) as Operation
        const { hits } = answers.stats
        const shown = await outcome(answers.read(operation, input).then(({ body, position }) => [body.toString(), position]))
        if (answers.stats.hits > hits) spared += 1
        const anew = operations.execute(operation, input).then(({ data, position }) => [JSON.stringify({ code: 0, data }), position])
        deepStrictEqual(shown, await outcome(anew), `${name} ${JSON.stringify(input)} at ${end}`)
      }
    }
  } finally {
    versions.close()
    await models.close()
  }
}

/** An unknown handle is included: a 404 is an answer, too. */
const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => {
    if (error instanceof ServiceError) return error.error
    throw error
  })

const lives = fc.tuple(fc.oneof(logs(), busyLogs()), cuts)

await holds(t, 'from memory', lives, ([{ records }, cut]) => check(memoryStore(), records, cut), 25)

await holds(
  t,
  'from SQLite',
  lives,
  async ([{ records }, cut]) => {
    const folder = await temporaryFolder()
    const store = await openSqliteStore(folder)
    try {
      await check(store, records, cut)
    } finally {
      await store.close()
      await removeFolder(folder)
    }
  },
  5,
)

// Of a few random logs: between 70 and 700 in the smaller tier.
t.ok(spared > (thorough ? 100 : 10), `${spared} answers outlived changes of their models`)
