/** The public answers are those of a model that knows nothing of the engine, whatever the log holds and in whatever order. */
import fc from 'fast-check'
import t from 'tap'
import { recordDiscard } from '../../src/engine/dead-letters/discards.js'
import { START } from '../../src/events/index.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import { STORES } from '../engine/stores.js'
import { LOCALES } from '../reference-model/arbitrary-fields.js'
import { cuts, loading, logs, withPoison } from '../reference-model/arbitrary-log.js'
import { busyLogs } from '../reference-model/busy-logs.js'
import { Community } from '../reference-model/community.js'
import { projections } from '../support/built-in-models.js'
import { MemoryEventLog } from '../support/memory-log.js'
import { memoryStore } from '../support/memory-store.js'
import { DOMAIN, eventsOf, Models } from '../support/models.js'
import type { Crash, Run } from '../support/project-log.js'
import { holds } from '../support/property.js'
import { redactCreator } from '../support/redact.js'
import { sameAnswers } from '../support/same-answers.js'

/** A new database on a server takes far longer than a new file. */
const RUNS: Record<string, number> = { memory: 120, SQLite: 25, MongoDB: 5 }

/** Few creations to which much happens, or many that stand side by side. */
const anyStory = fc.oneof(logs(), busyLogs()).chain((log) => fc.oneof(fc.constant(log), withPoison(log)))
const crashes = fc.array(fc.constantFrom<Crash[]>(null, null, null, 'before', 'after'), { maxLength: 8 })
/** Numbers of records that operators discard. */
const discards = fc.oneof(fc.constant([]), fc.array(fc.nat(), { maxLength: 5 }))
const locale = fc.constantFrom(...LOCALES, 'EN-gb', 'es-MX', 'de', 'de-AT-1996', 'fr')

const memory = { name: 'memory', open: async () => ({ store: memoryStore(), remove: async () => {} }) }

for (const { name, open } of [memory, ...STORES.filter((each) => each.name !== 'memory')]) {
  await holds(
    t,
    `from ${name}`,
    fc.tuple(anyStory, discards, locale, fc.record({ cut: cuts, loading, crashes })),
    async ([{ records }, picks, language, run]) => {
      const { store, remove } = await open()
      try {
        const discarded = new Set(picks.flatMap((pick) => records[pick % Math.max(1, records.length)] ?? []))
        for (const { name: projection } of projections)
          for (const { position } of discarded) await recordDiscard(store, projection, position, 'property')
        await check(store, records, discarded, language, run)
      } finally {
        await store.close()
        await remove()
      }
    },
    RUNS[name],
  )
}

async function check(store: DocumentStore, records: readonly LogRecord[], discarded: ReadonlySet<LogRecord>, language: string, run: Run) {
  const events = eventsOf(records.filter((record) => !discarded.has(record)))
  const community = new Community(events, DOMAIN)
  const answersMatch = async (log: readonly LogRecord[]) => {
    const models = await Models.begin({ ...run, store })
    try {
      await models.through(log)
      await sameAnswers(models.reader, community, language)
    } finally {
      await models.close()
    }
  }
  await answersMatch(records)

  // What an operator says was never there is left to them to redact.
  const isDisputed = (id: string) => [...discarded].some(({ payload }) => payload.includes(`"${id}"`))
  const erased = new Set(events.flatMap(({ name, key }) => (name === 'creator.removed' && !isDisputed(key) ? [key] : [])))
  if (erased.size === 0) return
  const log = new MemoryEventLog(records)
  for (const id of erased) await redactCreator(log, store, projections, id, () => {})
  await answersMatch(await log.read(START, Number.MAX_SAFE_INTEGER))
}
