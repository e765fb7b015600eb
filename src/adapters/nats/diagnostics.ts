import type { StreamInfo } from 'nats'
import { errorMessage, plural } from '../../lib/message-text.js'
import { type Finding, failed, passed } from '../../ports/diagnostics.js'
import { type Connected, NatsConnector, type NatsOptions, NatsUnavailableError } from './connection.js'
import { categorySettings } from './event-store.js'
import { DEFAULT_PREFIX } from './message.js'
import { redactionsSettings } from './redactions.js'
import { logSettings, type StreamSettings, streamInfo, streamProblems } from './stream.js'

/** The first version with consumers that filter by several subjects, which the publisher needs. */
const OLDEST_VERSION = [2, 10] as const
/** One copy is fine on a laptop; in a cluster a stream should survive the loss of a machine. */
const CLUSTERED_REPLICAS = 3

interface DiagnosedStreams {
  stream: string
  create: boolean
  replicas: number | undefined
  /** The categories of ask jobs, if they are in NATS. */
  categories: readonly string[]
}

/** Checks that the servers answer, are new enough and have suitable streams. Creates nothing. */
export async function diagnoseNats(options: NatsOptions & DiagnosedStreams): Promise<Finding[]> {
  const connector = new NatsConnector(options)
  try {
    const connected = await connector.connected()
    const { nats } = connected
    return [checkVersion(nats.info?.version ?? 'unknown', nats.getServer()), ...(await checkStreams(connected, options))]
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

/** A missing stream beside the log is no fault: it is created when it is needed. */
async function checkStreams(connected: Connected, { stream, create, replicas, categories }: DiagnosedStreams): Promise<Finding[]> {
  const least = connected.nats.info?.cluster === undefined ? 1 : CLUSTERED_REPLICAS
  const log = await inspect(connected, logSettings(stream, DEFAULT_PREFIX), least)
  const absent = create
    ? passed(`stream ${stream}`, 'not there yet: created when first needed')
    : failed(`stream ${stream}`, 'not there', 'create it, or let it be created with NATS_CREATE=on')
  const enough = Math.max(least, replicas ?? log.replicas)
  const others = [redactionsSettings(stream), ...categories.map((category) => categorySettings(category))]
  const besides = await Promise.all(others.map((wanted) => inspect(connected, wanted, enough)))
  return [...(log.findings ?? [absent]), ...besides.flatMap(({ findings }) => findings ?? [])]
}

/** Findings are null when there is no such stream. */
async function inspect(
  connected: Connected,
  wanted: StreamSettings,
  enough: number,
): Promise<{ findings: Finding[] | null; replicas: number }> {
  const check = `stream ${wanted.name}`
  try {
    const info = await streamInfo(connected, wanted.name)
    if (info === null) return { findings: null, replicas: 1 }
    return { findings: [checkConfig(check, info, wanted), checkReplicas(info, enough)], replicas: info.config.num_replicas }
  } catch (error) {
    const remedy = 'bring its servers back, switch JetStream on (-js) and give the account room for streams'
    return { findings: [failed(check, errorMessage(error), remedy)], replicas: 1 }
  }
}

function checkConfig(check: string, { config, state }: StreamInfo, wanted: StreamSettings): Finding {
  const problems = streamProblems(config, wanted)
  if (problems.length === 0) return passed(check, `${plural(state.messages, 'message')}, ${plural(state.bytes, 'byte')}`)
  return failed(check, problems.join('; '), `change it with "nats stream edit ${config.name}", or recreate it from its backup`)
}

function checkReplicas({ config, cluster }: StreamInfo, enough: number): Finding {
  const check = `replicas of ${config.name}`
  const late = (cluster?.replicas ?? []).filter(({ current, offline }) => offline === true || !current)
  if (late.length > 0)
    return failed(
      check,
      `${late.map((replica) => replica.name).join(', ')} cannot follow`,
      'bring these servers back, or move the replicas',
    )
  if (config.num_replicas >= enough) return passed(check, `${config.num_replicas}`)
  const finding = `${config.num_replicas} in a cluster, and should be ${enough}: losing a server may stop this stream`
  return failed(check, finding, `"nats stream edit ${config.name} --replicas ${enough}", and NATS_REPLICAS for new streams`)
}
