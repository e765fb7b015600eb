import { errorMessage } from '../../lib/message-text.js'
import { type Finding, failed, passed } from '../../ports/diagnostics.js'
import type { Collection, Generation } from '../../ports/document-store.js'
import { type Connection, createConnection } from './connection.js'
import { collectionPrefix, projectionsIn, toGenerations } from './control-documents.js'
import { indexName } from './models/indexes.js'

/** The first version with snapshot reads outside transactions. */
const OLDEST_MAJOR = 5
/** Leases expire by the server's clock, but people compare log lines and expiries by ours. */
const MAX_SKEW_MS = 5000
const NAMESPACE_NOT_FOUND = 26

/** Checks that the servers answer, form a complete replica set and have the indexes that readers need. */
export async function diagnoseMongo(url: string, collectionsOf: (projection: string) => readonly Collection[]): Promise<Finding[]> {
  const connection = createConnection(url)
  try {
    const asked = Date.now()
    const hello = await connection.reading.admin().command({ hello: 1 })
    const { version } = await connection.reading.admin().command({ buildInfo: 1 })
    return [
      checkVersion(String(version)),
      await checkReplicaSet(connection, hello.setName),
      checkClock(hello.localTime, asked, Date.now()),
      ...(hello.setName === undefined ? [] : await checkIndexes(connection, collectionsOf)),
    ]
  } catch (error) {
    return [failed('MongoDB', `cannot be reached: ${errorMessage(error)}`, 'start it, or correct MONGODB_URL and what lets us in')]
  } finally {
    await connection.close()
  }
}

export function checkVersion(version: string): Finding {
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return passed('MongoDB', version)
  return failed('MongoDB', version, `update it to ${OLDEST_MAJOR}.0 or newer`)
}

async function checkReplicaSet({ reading }: Connection, name: unknown): Promise<Finding> {
  const check = 'replica set'
  if (typeof name !== 'string')
    return failed(check, 'none: there are no transactions', 'start mongod with --replSet and run rs.initiate(); one member is enough')
  const { members } = await reading.admin().command({ replSetGetStatus: 1 })
  const all = members as { name: string; health: number; stateStr: string }[]
  const lost = all.filter(({ health }) => health !== 1)
  if (lost.length === 0) return passed(check, `${name}, ${all.map(({ stateStr }) => stateStr.toLowerCase()).join(', ')}`)
  return failed(check, `${lost.map((member) => member.name).join(', ')} cannot be reached by the others`, 'bring these members back')
}

/** The server read its clock at some moment between request and answer. */
export function checkClock(serverTime: Date, asked: number, answered: number): Finding {
  const check = 'clock of MongoDB'
  const skew = Math.max(0, asked - serverTime.getTime(), serverTime.getTime() - answered)
  if (skew <= MAX_SKEW_MS) return passed(check, 'as here')
  return failed(check, `${Math.round(skew / 1000)} s away from the clock here`, 'synchronise the clocks (NTP) of both machines')
}

async function checkIndexes(connection: Connection, collectionsOf: (projection: string) => readonly Collection[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const projection of projectionsIn(connection.writing).find()) {
    const live = toGenerations(projection).find(({ state }) => state === 'live')
    if (live === undefined) continue
    const missing = await missingIndexes(connection, live, collectionsOf(projection._id))
    const check = `indexes of ${projection._id}`
    const remedy = `build them again with "vitrine rebuild ${projection._id}"`
    findings.push(missing.length === 0 ? passed(check, 'all there') : failed(check, `missing: ${missing.join(', ')}`, remedy))
  }
  return findings
}

async function missingIndexes({ writing }: Connection, generation: Generation, collections: readonly Collection[]): Promise<string[]> {
  const missing: string[] = []
  for (const { name, indexes } of collections) {
    const full = collectionPrefix(generation) + name
    const there = await writing
      .collection(full)
      .listIndexes()
      .toArray()
      .catch((error) => {
        if (error instanceof Error && 'code' in error && error.code === NAMESPACE_NOT_FOUND) return []
        throw error
      })
    const names = new Set(there.map((index) => index.name))
    for (const spec of indexes) if (!names.has(indexName(spec))) missing.push(`${full} by ${spec.name}`)
  }
  return missing
}
