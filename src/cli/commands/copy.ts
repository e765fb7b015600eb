import { copyLog, LogCopyError } from '../../compose/copy-log.js'
import { openEmbeddedLog, openLog } from '../../compose/stores.js'
import { plural } from '../../lib/message-text.js'
import { asCommandError, type Command, CommandError } from '../command-line.js'
import { withProgress } from '../progress.js'

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
      const missing = (await from.bounds()).last - (await to.bounds()).last
      const { copied, last } = await withProgress(io.stderr, 'copying', missing, (advance) => copyLog(from, to, advance)).catch(
        asCommandError(LogCopyError),
      )
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
