/** Answers read with kept documents are those that are read without, after any part of any log. */
import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { KeptDocuments } from '../../src/operations/cache/kept-documents.js'
import { ModelVersions } from '../../src/operations/cache/model-versions.js'
import { STORES } from '../engine/stores.js'
import { HANDLES, SLUGS } from '../reference-model/arbitrary-fields.js'
import { logs } from '../reference-model/arbitrary-log.js'
import { busyLogs } from '../reference-model/busy-logs.js'
import { READ_MODELS } from '../support/built-in-models.js'
import { Models, Reader } from '../support/models.js'
import { holds } from '../support/property.js'

const QUESTIONS: [string, object][] = [
  ...['trending', 'liked'].map((sort): [string, object] => ['get_community_feed', { sort }]),
  ['get_community_feed', { q: 'apple', limit: 5 }],
  ['get_community_feed', { category: 'games' }],
  ['get_community_landing', {}],
  ['get_popular_tags', {}],
  ...HANDLES.flatMap((handle): [string, object][] => [
    ['get_creator_profile', { handle }],
    ['get_creator_followers', { handle }],
    ...SLUGS.map((slug): [string, object] => ['get_app_share', { handle, slug }]),
  ]),
]

/** A new database on a server takes far longer than a new file. */
const RUNS: Record<string, number> = { memory: 100, SQLite: 25, MongoDB: 5 }

for (const { name, open } of STORES) {
  const steps = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 20 })
  await holds(
    t,
    `from ${name}`,
    fc.tuple(fc.oneof(logs(), busyLogs()), steps),
    async ([{ records }, sizes]) => {
      const { store, remove } = await open()
      const versions = new ModelVersions(store, READ_MODELS)
      const models = await Models.begin({ store })
      try {
        const keeping = new Reader(store, { versions, kept: new KeptDocuments(versions, READ_MODELS) })
        for (let end = 0, step = 0; end < records.length; step += 1) {
          // What is left comes at once.
          end = step < sizes.length ? end + (sizes[step] ?? 1) : records.length
          await models.through(records.slice(0, end))
          versions.expire()
          await versions.refresh()
          for (const [operation, input] of QUESTIONS)
            deepStrictEqual(await keeping.ask(operation, input), await models.reader.ask(operation, input), `${operation} after ${end}`)
        }
      } finally {
        versions.close()
        await models.close()
        await store.close()
        await remove()
      }
    },
    RUNS[name],
  )
}
