import { startMongo } from '../test/servers/mongo.js'

export const STORES = ['sqlite', 'mongodb'] as const
export type StoreName = (typeof STORES)[number]

export interface Server {
  environment: Record<string, string>
  /** The process id of the server, whose processor time counts, too. */
  pid: number | null
}

/** Teardowns, run in reverse order. */
export class TeardownStack {
  readonly #ends: (() => unknown)[] = []

  teardown(end: () => unknown): void {
    this.#ends.push(end)
  }

  pass(): void {}

  async all(): Promise<void> {
    for (const end of this.#ends.reverse()) await end()
  }
}

/** Works with a document store of that kind; `null` if its server is not available. */
export async function withStore<T>(store: StoreName, folder: string, work: (server: Server) => Promise<T>): Promise<T | null> {
  if (store === 'sqlite') return work({ environment: { DATA_DIR: folder }, pid: null })
  const ends = new TeardownStack()
  try {
    // With the server's default cache size, as a normal installation has it.
    const mongo = await startMongo(ends, 1, { cacheGb: null })
    const [member] = mongo?.members ?? []
    if (mongo === null || member === undefined) return null
    return await work({ environment: { DATA_DIR: folder, MONGODB_URL: mongo.url }, pid: member.process.pid ?? null })
  } finally {
    await ends.all()
  }
}
