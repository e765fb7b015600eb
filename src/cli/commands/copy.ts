import { openEmbeddedLog, openLog } from '../../compose/stores.js'
import type { Position } from '../../events/index.js'
import { plural } from '../../lib/message-text.js'
import { type EventLog, LogMovedError, type LogRecord } from '../../ports/event-log.js'
import { type Command, CommandError } from '../command-line.js'
import type { Io } from '../io.js'
import { withProgress } from '../progress.js'

/** Records read and published at a time. */
const CHUNK = 2000

export const copy: Command = {
  name: 'copy',
  summary: 'Copy the embedded event log to NATS JetStream. An interrupted copy continues where it stopped.',
  example: 'copy --to nats://127.0.0.1:4222',
  models: 'none',
  flags: { to: { type: 'string', help: 'servers to copy to: nats://host:4222' } },
  async run({ config, flag, answer, io }) {
    const servers = flag('to')
    if (servers === undefined) throw new CommandError('say where to: --to nats://host:4222')
    if (!/^(nats|tls):\/\/[^\s,/]+/.test(servers)) throw new CommandError('--to is no address such as nats://host:4222')
    const from = openEmbeddedLog(config)
    const to = await openLog({ ...config, NATS_URL: servers })
    try {
      const { copied, last } = await copyLog(from, to, io)
      answer(
        { copied, last },
        `${plural(copied, 'event')} copied. The log in stream ${config.NATS_STREAM} ends at ${last}, as does this one.`,
      )
    } finally {
      await to.close()
      await from.close()
    }
  },
}

/**
 * Keeps order, ids and append times, and so positions: models built from one log continue with the other. The target must
 * be empty or hold the beginning of the same log, so an interrupted copy continues.
 */
async function copyLog(from: EventLog, to: EventLog, io: Io): Promise<{ copied: number; last: number }> {
  const { first, last } = await from.bounds()
  if (last > 0 && first !== 1) throw new CommandError(`this log begins at position ${first}; only a whole one can be copied`)
  const begin = (await to.bounds()).last
  await requireSameLog(from, to, begin)
  const copied = withProgress(io.stderr, 'copying', last - begin, async (advance) => {
    for (let position = begin; ; ) {
      const records = await from.read(position, CHUNK)
      const end = records.at(-1)?.position
      if (end === undefined) return { copied: position - begin, last: position }
      const result = await to.append(records.map(withoutPosition), { expectedLast: position })
      if (result.last !== end) throw new CommandError('another process has written to the target: it no longer ends where this log does')
      position = end
      advance(records.length)
    }
  })
  return copied.catch((error: unknown) => {
    if (error instanceof LogMovedError) throw new CommandError(`another process has written to the target: ${error.message}`)
    throw error
  })
}

/** The target must hold the first events of this log, or none. Comparing its first and last event is enough: a log is append-only. */
async function requireSameLog(from: EventLog, to: EventLog, end: Position): Promise<void> {
  for (const position of end === 0 ? [] : [1, end]) {
    const [theirs] = await to.read((position - 1) as Position, 1)
    const [ours] = await from.read((position - 1) as Position, 1)
    if (theirs?.position === ours?.position && theirs?.id === ours?.id && theirs?.appendedAt === ours?.appendedAt) continue
    throw new CommandError(
      `the target holds something else: ${ours === undefined ? 'it is longer than this log' : `another event at position ${position}`}. Copy to an empty stream.`,
    )
  }
}

const withoutPosition = ({ id, subject, payload, appendedAt }: LogRecord) => ({ id, subject, payload, appendedAt })
