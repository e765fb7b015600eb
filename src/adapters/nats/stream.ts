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

/** An event log keeps everything, on disk, without limits. */
export function logConfig(name: string, prefix: string, replicas: number): Partial<StreamConfig> & { name: string } {
  return {
    name,
    subjects: [`${prefix}.>`],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    num_replicas: replicas,
    max_age: 0,
    max_bytes: -1,
    max_msgs: -1,
    max_msgs_per_subject: -1,
    allow_direct: true,
  }
}

/** Settings with which an existing stream would lose events, and what they must be. */
export function streamProblems(config: StreamConfig, prefix: string): string[] {
  const problems: string[] = []
  const expect = (fine: boolean, problem: string) => fine || problems.push(problem)
  const unlimited = (limit: number | undefined) => limit === undefined || limit <= 0
  expect(config.retention === RetentionPolicy.Limits, `its retention is "${config.retention}" and must be "limits"`)
  expect(config.storage === StorageType.File, `its storage is "${config.storage}" and must be "file"`)
  expect(unlimited(config.max_age), 'it has a maximum age (max_age must be 0)')
  expect(unlimited(config.max_bytes), 'it has a maximum size (max_bytes must be -1)')
  expect(unlimited(config.max_msgs), 'it has a maximum number of messages (max_msgs must be -1)')
  expect(unlimited(config.max_msgs_per_subject), 'it has a maximum per subject (max_msgs_per_subject must be -1)')
  expect(config.discard === DiscardPolicy.New, `it discards "${config.discard}" messages when full (discard must be "new")`)
  expect(
    config.subjects?.some((subject) => subject === `${prefix}.>` || subject === '>') === true,
    `its subjects are ${config.subjects?.join(', ') || 'none'} and must include ${prefix}.>`,
  )
  return problems
}

/** Creates a missing stream if that is allowed. Throws {@link LogUnfitError} when the stream would lose events. */
export async function ensureLogStream(
  connected: Connected,
  name: string,
  prefix: string,
  create: boolean,
  replicas: number,
): Promise<void> {
  const found = await streamInfo(connected, name)
  if (found === null && !create) throw new LogUnfitError(`There is no stream ${name}, and NATS_CREATE=off forbids to create it.`)
  const { config } = found ?? (await createStream(connected, logConfig(name, prefix, replicas)))
  const problems = streamProblems(config, prefix)
  if (problems.length > 0) throw new LogUnfitError(`The stream ${name} is not fit to be the event log: ${problems.join('; ')}.`)
}

async function createStream(connected: Connected, config: Partial<StreamConfig> & { name: string }): Promise<StreamInfo> {
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
