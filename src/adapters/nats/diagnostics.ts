import type { StreamInfo } from 'nats'
import { errorMessage, plural } from '../../lib/message-text.js'
import { type Finding, failed, passed } from '../../ports/diagnostics.js'
import { type Connected, NatsConnector, type NatsOptions, NatsUnavailableError } from './connection.js'
import { DEFAULT_PREFIX } from './message.js'
import { streamInfo, streamProblems } from './stream.js'

/** The first version with consumers that filter by several subjects, which the publisher needs. */
const OLDEST_VERSION = [2, 10] as const
/** One copy is fine on a laptop; in a cluster a stream should survive the loss of a machine. */
const CLUSTERED_REPLICAS = 3

/** Checks that the servers answer, are new enough and have a suitable stream. Creates nothing. */
export async function diagnoseNats(options: NatsOptions & { stream: string; create: boolean }): Promise<Finding[]> {
  const connector = new NatsConnector(options)
  try {
    const connected = await connector.connected()
    const { nats } = connected
    return [
      checkVersion(nats.info?.version ?? 'unknown', nats.getServer()),
      ...(await checkStream(connected, options.stream, options.create)),
    ]
  } catch (error) {
    if (!(error instanceof NatsUnavailableError)) throw error
    return [failed('NATS', error.message, 'start the server with JetStream (-js), or correct NATS_URL and what lets us in')]
  } finally {
    await connector.close()
  }
}

export function checkVersion(version: string, address: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const finding = `${version} at ${address}`
  const fresh = major > OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor >= OLDEST_VERSION[1])
  return fresh ? passed('NATS', finding) : failed('NATS', finding, `update the server to ${OLDEST_VERSION.join('.')} or newer`)
}

async function checkStream(connected: Connected, name: string, create: boolean): Promise<Finding[]> {
  const check = `stream ${name}`
  try {
    const info = await streamInfo(connected, name)
    if (info !== null) return [checkConfig(check, info), ...checkReplicas(name, connected, info)]
    if (create) return [passed(check, 'not there yet: created when first needed')]
    return [failed(check, 'not there', 'create it, or let it be created with NATS_CREATE=on')]
  } catch (error) {
    return [failed(check, errorMessage(error), 'switch JetStream on (-js) and give the account room for streams')]
  }
}

function checkConfig(check: string, { config, state }: StreamInfo): Finding {
  const problems = streamProblems(config, DEFAULT_PREFIX)
  if (problems.length === 0) return passed(check, `${plural(state.messages, 'event')}, ${plural(state.bytes, 'byte')}`)
  return failed(check, problems.join('; '), `change it with "nats stream edit ${config.name}", or recreate it from its backup`)
}

function checkReplicas(name: string, { nats }: Connected, { config, cluster }: StreamInfo): Finding[] {
  const check = `replicas of ${name}`
  const late = (cluster?.replicas ?? []).filter(({ current, offline }) => offline === true || !current)
  if (late.length > 0)
    return [
      failed(check, `${late.map((replica) => replica.name).join(', ')} cannot follow`, 'bring these servers back, or move the replicas'),
    ]
  const clustered = nats.info?.cluster !== undefined
  if (clustered && config.num_replicas < CLUSTERED_REPLICAS) {
    const finding = `${config.num_replicas} in a cluster: losing one server stops the log`
    return [failed(check, finding, `"nats stream edit ${name} --replicas ${CLUSTERED_REPLICAS}", and NATS_REPLICAS for new streams`)]
  }
  return [passed(check, `${config.num_replicas}`)]
}
