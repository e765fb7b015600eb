import { rmSync } from 'node:fs'
import type { Collection, Generation, Generations, Lease } from '../../ports/document-store.js'
import { type ControlDatabase, GENERATION_COLUMNS, type GenerationRow, NOW, toGeneration } from './control-database.js'
import { inTransaction } from './database.js'

type CreateFile = (generation: Generation, collections: readonly Collection[]) => Promise<void>

/** Generations as rows of `control.db`, each with a file of its own. */
export class SqliteGenerations implements Generations {
  readonly #control: ControlDatabase
  readonly #createFile: CreateFile

  constructor(control: ControlDatabase, createFile: CreateFile) {
    this.#control = control
    this.#createFile = createFile
  }

  async projections(): Promise<string[]> {
    const select = this.#control.db.statement<GenerationRow>(`SELECT ${GENERATION_COLUMNS} FROM generations ORDER BY projection`)
    return [...new Set(this.#existing(select.all()).map(({ projection }) => projection))]
  }

  async generations(projection: string): Promise<Generation[]> {
    const rows = this.#control.db
      .statement<GenerationRow>(`SELECT ${GENERATION_COLUMNS} FROM generations WHERE projection = ? ORDER BY number`)
      .all(projection)
    return this.#existing(rows)
  }

  /** Those whose file exists. */
  #existing(rows: readonly GenerationRow[]): Generation[] {
    return rows.map(toGeneration).filter((generation) => this.#control.exists(generation))
  }

  /** Numbers are never reused: another process may still have a dropped generation's file open under its name. */
  async createGeneration(projection: string, version: number, collections: readonly Collection[]): Promise<Generation> {
    const { db } = this.#control
    const nextNumber = db.statement<[number]>(
      'INSERT INTO numbers VALUES (?, 1) ON CONFLICT (projection) DO UPDATE SET last = last + 1 RETURNING last',
    )
    const insert = db.statement<GenerationRow>(
      `INSERT INTO generations (${GENERATION_COLUMNS}) VALUES (?, ?, ?, 'loading', CAST(${NOW} AS INTEGER)) RETURNING ${GENERATION_COLUMNS}`,
    )
    const row = inTransaction(db, () => {
      const [number] = nextNumber.one(projection)
      return insert.one(projection, number, version)
    })
    await this.#createFile(toGeneration(row), collections)
    return toGeneration(row)
  }

  async promote({ projection, number }: Generation, lease?: Lease): Promise<void> {
    const { db, signal } = this.#control
    inTransaction(db, () => {
      this.#control.checkLease(lease)
      db.statement("UPDATE generations SET state = 'retired' WHERE projection = ? AND state = 'live'").run(projection)
      const live = db.statement("UPDATE generations SET state = 'live' WHERE projection = ? AND number = ?").run(projection, number)
      if (live.changes === 0) throw new Error(`generation ${number} of ${projection} is gone`)
    })
    signal.fire()
  }

  async demote(projection: string, lease?: Lease): Promise<void> {
    const { db, signal } = this.#control
    inTransaction(db, () => {
      this.#control.checkLease(lease)
      db.statement("UPDATE generations SET state = 'retired' WHERE projection = ? AND state = 'live'").run(projection)
    })
    signal.fire()
  }

  async dropGeneration(generation: Generation, lease?: Lease): Promise<void> {
    const { projection, number } = generation
    const { db, signal } = this.#control
    inTransaction(db, () => {
      this.#control.checkLease(lease)
      if (this.#control.live(projection)?.number === number) throw new Error(`generation ${number} of ${projection} is live`)
      db.statement('DELETE FROM generations WHERE projection = ? AND number = ?').run(projection, number)
    })
    const path = this.#control.pathOf(generation)
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
    signal.fire()
  }
}
