import type { StreamInfo } from 'nats'
import { counted } from '../../lib/plural.js'
import { type Finding, ill, well } from '../../ports/diagnostics.js'
import { type Connected, NatsConnector, type NatsOptions, NatsUnavailableError, reasonOf } from './connection.js'
import { problemsOf, streamInfo } from './stream.js'
import { DEFAULT_PREFIX } from './subjects.js'

/** Direct reads of many subjects at once, which the publisher uses to know its ids, came with this version. */
const OLDEST = [2, 10] as const
/** A single copy is fine on a laptop; in a cluster a stream should survive the loss of a machine. */
const CLUSTERED_REPLICAS = 3

/** Whether the servers answer, are new enough, and keep the log as it has to be kept. Creates nothing. */
export async function examineNats(options: NatsOptions & { stream: string; create: boolean }): Promise<Finding[]> {
  const connector = new NatsConnector(options)
  try {
    const connected = await connector.connected()
    const { nats } = connected
    return [
      aboutVersion(nats.info?.version ?? 'unknown', nats.getServer()),
      ...(await aboutStream(connected, options.stream, options.create)),
    ]
  } catch (error) {
    if (!(error instanceof NatsUnavailableError)) throw error
    return [ill('NATS', error.message, 'start the server with JetStream (-js), or correct NATS_URL and what lets us in')]
  } finally {
    await connector.close()
  }
}

export function aboutVersion(version: string, address: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const finding = `${version} at ${address}`
  const fresh = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
  return fresh ? well('NATS', finding) : ill('NATS', finding, `update the server to ${OLDEST.join('.')} or newer`)
}

async function aboutStream(connected: Connected, name: string, create: boolean): Promise<Finding[]> {
  const check = `stream ${name}`
  try {
    const info = await streamInfo(connected, name)
    if (info !== null) return [asItIs(check, info), ...aboutReplicas(name, connected, info)]
    if (create) return [well(check, 'not there yet: created when first needed')]
    return [ill(check, 'not there', 'create it, or let it be created with NATS_CREATE=on')]
  } catch (error) {
    return [ill(check, reasonOf(error), 'switch JetStream on (-js) and give the account room for streams')]
  }
}

function asItIs(check: string, { config, state }: StreamInfo): Finding {
  const problems = problemsOf(config, DEFAULT_PREFIX)
  if (problems.length === 0) return well(check, `${counted(state.messages, 'event')}, ${counted(state.bytes, 'byte')}`)
  return ill(check, problems.join('; '), `change it with "nats stream edit ${config.name}", or recreate it from its backup`)
}

function aboutReplicas(name: string, { nats }: Connected, { config, cluster }: StreamInfo): Finding[] {
  const check = `replicas of ${name}`
  const late = (cluster?.replicas ?? []).filter(({ current, offline }) => offline === true || !current)
  if (late.length > 0)
    return [ill(check, `${late.map((replica) => replica.name).join(', ')} cannot follow`, 'bring these servers back, or move the replicas')]
  const clustered = nats.info?.cluster !== undefined
  if (clustered && config.num_replicas < CLUSTERED_REPLICAS) {
    const finding = `${config.num_replicas} in a cluster: losing one server stops the log`
    return [ill(check, finding, `"nats stream edit ${name} --replicas ${CLUSTERED_REPLICAS}", and NATS_REPLICAS for new streams`)]
  }
  return [well(check, `${config.num_replicas}`)]
}
