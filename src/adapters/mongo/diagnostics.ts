import { errorMessage } from '../../lib/message-text.js'
import { type Finding, failed, passed } from '../../ports/diagnostics.js'
import { type Connection, createConnection } from './connection.js'

/** The first version with snapshot reads outside transactions. */
const OLDEST_MAJOR = 5
/** Leases expire by the server's clock, but people compare log lines and expiries by ours. */
const MAX_SKEW_MS = 5000

/** Checks that the servers answer and form a complete replica set. */
export async function diagnoseMongo(url: string): Promise<Finding[]> {
  const connection = createConnection(url)
  try {
    const asked = Date.now()
    const hello = await connection.reading.admin().command({ hello: 1 })
    const { version } = await connection.reading.admin().command({ buildInfo: 1 })
    return [checkVersion(String(version)), await checkReplicaSet(connection, hello.setName), checkClock(hello.localTime, asked, Date.now())]
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
