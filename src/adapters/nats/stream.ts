import { DiscardPolicy, type NatsError, RetentionPolicy, StorageType, type StoredMsg, type StreamConfig, type StreamInfo } from 'nats'
import { errorMessage } from '../../lib/message-text.js'
import { LogUnfitError } from '../../ports/event-log.js'
import { type Connected, NatsUnavailableError } from './connection.js'
import type { StreamMessage } from './message.js'

const STREAM_NOT_FOUND = 10059
const MESSAGE_NOT_FOUND = 10037

/** JetStream's own error code. */
export function apiErrorCode(error: unknown): number | undefined {
  return error instanceof Error && 'api_error' in error ? (error as NatsError).api_error?.err_code : undefined
}

/** Another publisher was faster: the stream, or the subject, does not end where the message expected. */
export const isWrongLastSequence = (error: unknown): boolean => [10070, 10071, 10164].includes(apiErrorCode(error) ?? 0)

export type StreamSettings = Partial<StreamConfig> & { name: string; subjects: string[] }

/** All our streams are on disk and have no limits but those they name. */
export const LASTING = {
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  max_bytes: -1,
  max_msgs: -1,
  max_msgs_per_subject: -1,
}

/** An event log keeps everything. */
export const logSettings = (name: string, prefix: string): StreamSettings => ({
  ...LASTING,
  name,
  subjects: [`${prefix}.>`],
  discard: DiscardPolicy.New,
  max_age: 0,
  allow_direct: true,
})

const CHECKED = ['retention', 'storage', 'max_age', 'max_bytes', 'max_msgs', 'max_msgs_per_subject', 'discard'] as const

/** Settings with which an existing stream would lose messages, and what they must be. */
export function streamProblems(config: StreamConfig, wanted: StreamSettings): string[] {
  const wrong = CHECKED.filter((key) => wanted[key] !== undefined && config[key] !== wanted[key])
  const problems = wrong.map((key) => `its ${key} is ${config[key]} and must be ${wanted[key]}`)
  const sources = config.sources ?? []
  const missing = wanted.subjects.filter((subject) => !config.subjects?.some((taken) => taken === subject || taken === '>'))
  // One that collects other streams may have none of its own.
  const isCollecting = sources.length > 0 && (config.subjects ?? []).length === 0
  if (missing.length > 0 && !isCollecting)
    problems.push(`its subjects are ${config.subjects?.join(', ') || 'none'} and must include ${missing}`)
  const [prefix = ''] = wanted.subjects.map((subject) => subject.slice(0, -1))
  const renamed = sources.flatMap(({ subject_transforms = [] }) => subject_transforms.map(({ dest }) => dest))
  const foreign = renamed.filter((dest) => !dest.startsWith(prefix))
  if (foreign.length > 0) problems.push(`its sources become ${foreign.join(', ')} and must become ${prefix}>`)
  return problems
}

/** Creates a missing stream if that is allowed. Throws {@link LogUnfitError} when the stream would lose events. */
export async function ensureLogStream(connected: Connected, wanted: StreamSettings, create: boolean, replicas = 1): Promise<void> {
  const { name } = wanted
  const found = await streamInfo(connected, name)
  if (found === null && !create) throw new LogUnfitError(`There is no stream ${name}, and NATS_CREATE=off forbids to create it.`)
  const { config } = found ?? (await createStream(connected, { ...wanted, num_replicas: replicas }))
  const problems = streamProblems(config, wanted)
  if (problems.length > 0) throw new LogUnfitError(`The stream ${name} is not fit to be the event log: ${problems.join('; ')}.`)
}

export interface Replication {
  /** The stream whose replicas others get unless `replicas` is set. */
  log?: string
  replicas?: number | undefined
  /** Whether a stream that has too few gets more. */
  raise?: boolean
}

/** Creates a missing stream beside the log, and raises its replicas. False when it still has too few. */
export async function ensureReplicated(
  connected: Connected,
  wanted: StreamSettings,
  { log, replicas, raise = true }: Replication,
): Promise<boolean> {
  const found = await streamInfo(connected, wanted.name)
  if (found !== null && !raise) return true
  // A log that does not answer must not keep its streams from being used.
  const ofLog = async () => (log === undefined ? null : streamInfo(connected, log).catch((error) => found ?? Promise.reject(error)))
  const enough = replicas ?? (await ofLog())?.config.num_replicas ?? 1
  const { config } = found ?? (await createStream(connected, { ...wanted, num_replicas: enough }))
  if (config.num_replicas >= enough) return true
  // Refused while too few servers are up. What is written meanwhile is as safe as before.
  return connected.streams.update(wanted.name, { num_replicas: enough }).then(
    () => true,
    () => false,
  )
}

async function createStream(connected: Connected, config: StreamSettings): Promise<StreamInfo> {
  try {
    return await connected.streams.add(config)
  } catch (error) {
    // Another process may have created it first, with another number of replicas.
    const found = await streamInfo(connected, config.name)
    if (found !== null) return found
    if (apiErrorCode(error) === undefined) throw new NatsUnavailableError(errorMessage(error), { cause: error })
    throw new LogUnfitError(`The stream ${config.name} cannot be created: ${errorMessage(error)}`)
  }
}

/** Null when there is none. */
export async function streamInfo({ streams }: Connected, name: string): Promise<StreamInfo | null> {
  try {
    return await streams.info(name)
  } catch (error) {
    if (apiErrorCode(error) === STREAM_NOT_FOUND) return null
    throw new NatsUnavailableError(`the stream ${name} does not answer: ${errorMessage(error)}`, { cause: error })
  }
}

type MessageQuery = { seq: number } | { seq: number; next_by_subj: string } | { last_by_subj: string }

/** Reads one message from the stream's leader; null when there is none. */
export async function getMessage({ streams }: Connected, name: string, wanted: MessageQuery): Promise<StreamMessage | null> {
  try {
    const { seq, time, subject, header, data }: StoredMsg = await streams.getMessage(name, wanted)
    return { sequence: seq, storedAt: time.getTime(), subject, headers: header, data }
  } catch (error) {
    if (apiErrorCode(error) === MESSAGE_NOT_FOUND) return null
    throw new NatsUnavailableError(`the stream ${name} does not answer: ${errorMessage(error)}`, { cause: error })
  }
}
