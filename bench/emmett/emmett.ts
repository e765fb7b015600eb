import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The newest version that installs: 0.42.4 needs a version of its own base package that the registry does not have. */
const PACKAGES = ['@event-driven-io/emmett-sqlite@0.38.5', '@event-driven-io/emmett@0.38.5', 'sqlite3@5.1.7']

/** The types of Emmett that are used here. It is installed for the comparison only, so the compiler does not know it. */
export interface Emmett {
  sqliteConnection(options: { fileName: string }): EmmettConnection
  createEventStoreSchema(connection: EmmettConnection): Promise<void>
  appendToStream(connection: EmmettConnection, stream: string, type: string, events: readonly EmmettEvent[]): Promise<unknown>
  getSQLiteEventStore(options: { fileName: string }): {
    consumer(options: { pulling: { batchSize: number; pullingFrequencyInMs: number } }): EmmettConsumer
  }
}

export interface EmmettConnection {
  command(sql: string, values?: readonly unknown[]): Promise<unknown>
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  withTransaction<T>(work: () => Promise<T>): Promise<T>
  close(): void
}

export interface EmmettEvent {
  type: string
  data: Record<string, unknown>
}

interface EmmettConsumer {
  processor(options: {
    projection: {
      name: string
      canHandle: readonly string[]
      handle(events: readonly EmmettEvent[], context: { connection: EmmettConnection }): Promise<void>
    }
    startFrom: 'BEGINNING'
    stopAfter(event: { metadata: { globalPosition: bigint } }): boolean
  }): unknown
  start(): Promise<void>
  close(): Promise<void>
}

/** Installs it into a folder, which takes minutes where its SQLite has to be compiled. */
export function installEmmett(folder: string): void {
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...PACKAGES], { stdio: ['ignore', 'ignore', 'inherit'] })
}

export const emmettIn = (folder: string): Emmett => createRequire(join(folder, 'package.json'))('@event-driven-io/emmett-sqlite') as Emmett
