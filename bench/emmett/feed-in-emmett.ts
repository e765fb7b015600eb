import { feedProjection } from '../../projections/feed/index.js'
import { indexTable, keyColumns, tableSql } from '../../src/adapters/sqlite/models/tables.js'
import { EventApplier } from '../../src/engine/fold/event-applier.js'
import { UnitOfWork } from '../../src/engine/fold/unit-of-work.js'
import { builtInEvents, decode } from '../../src/events/index.js'
import { indexEntries, sameIndexEntries } from '../../src/ports/collection.js'
import type { Collection, Doc, IndexSpec, RangeQuery, Reads, Write } from '../../src/ports/document-store.js'
import type { LogRecord } from '../../src/ports/event-log.js'
import type { EmmettConnection } from './emmett.js'

/** Which indexes the projection keeps in step with its documents: those it looks things up by itself, or readers' too. */
export type Keeping = 'own' | 'all'

/** Words are always indexed at the end: an index of words is not written by hand. */
export const keeps = (keeping: Keeping, { use, fullText }: IndexSpec): boolean => use === 'fold' || (keeping === 'all' && !fullText)

export async function createTables(connection: EmmettConnection, keeping: Keeping): Promise<void> {
  for (const collection of feedProjection.collections) {
    await connection.command(tableSql(collection))
    for (const index of collection.indexes) {
      if (!keeps(keeping, index)) continue
      const key = [...keyColumns(index), 'id'].join(', ')
      await connection.command(
        `CREATE TABLE "${indexTable(collection, index)}" (${keyColumns(index).join(', ')}, id, PRIMARY KEY (${key})) WITHOUT ROWID`,
      )
    }
  }
}

/** One event as Emmett hands it over, inside the transaction of its batch: loads what it touches, folds it, writes what has changed. */
export async function projectEvent(record: LogRecord, connection: EmmettConnection, keeping: Keeping): Promise<void> {
  const unitOfWork = new UnitOfWork(readsOf(connection))
  const outcome = await new EventApplier(feedProjection, unitOfWork, { count: 0, publishers: new Map() }).apply(
    { record, decoded: decode(record, builtInEvents) },
    null,
    async () => {},
  )
  if (outcome === 'parked') throw new Error(`${record.id} could not be folded`)
  for (const write of unitOfWork.writes()) await store(write, connection, keeping)
}

async function store(write: Write, connection: EmmettConnection, keeping: Keeping): Promise<void> {
  const { collection, id, after } = write
  if (after === undefined) await connection.command(`DELETE FROM "${collection.name}" WHERE id = ?`, [id])
  else {
    const sql = `INSERT INTO "${collection.name}" (id, doc) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET doc = excluded.doc`
    await connection.command(sql, [id, JSON.stringify(after)])
  }
  for (const index of collection.indexes) if (keeps(keeping, index)) await move(index, write, connection)
}

async function move(index: IndexSpec, { collection, id, before, after }: Write, connection: EmmettConnection): Promise<void> {
  if (sameIndexEntries(index, before, after)) return
  const table = indexTable(collection, index)
  const key = [...keyColumns(index), 'id'].map((column) => `${column} = ?`).join(' AND ')
  for (const entry of indexEntries(index, before)) await connection.command(`DELETE FROM "${table}" WHERE ${key}`, [...entry, id])
  for (const entry of indexEntries(index, after))
    await connection.command(`INSERT OR IGNORE INTO "${table}" VALUES (${'?, '.repeat(entry.length)}?)`, [...entry, id])
}

/** What folding asks of a store. */
function readsOf(connection: EmmettConnection): Reads {
  const never = () => Promise.reject(new Error('folding does not ask for this'))
  return {
    async get<D extends Doc>({ name }: Collection<D>, ids: readonly string[]) {
      const sql = `SELECT id, doc FROM "${name}" WHERE id IN (${ids.map(() => '?').join(', ')})`
      const rows = await connection.query<{ id: string; doc: string }>(sql, ids)
      const found = new Map(rows.map(({ id, doc }) => [id, JSON.parse(doc) as D]))
      return ids.map((id) => found.get(id))
    },
    async ids(collection, { index, equals, startsWith, after = [], limit }: RangeQuery) {
      const spec = collection.indexes.find(({ name }) => name === index)
      const table = spec === undefined ? collection.name : indexTable(collection, spec)
      const conditions = equals.map((_, i) => `k${i} = ?`)
      if (startsWith !== undefined) conditions.push('substr(id, 1, length(?)) = ?')
      if (after.length > 0) conditions.push('id > ?')
      const values = [...equals, ...(startsWith === undefined ? [] : [startsWith, startsWith]), ...after.slice(-1), limit]
      const rows = await connection.query<{ id: string }>(
        `SELECT id FROM "${table}" WHERE ${conditions.join(' AND ')} ORDER BY id LIMIT ?`,
        values,
      )
      return rows.map(({ id }) => id)
    },
    range: never,
    count: never,
  }
}
