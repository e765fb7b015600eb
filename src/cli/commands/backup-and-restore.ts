import { BackupError, createBackup, restoreBackup } from '../../compose/backup.js'
import { plural } from '../../lib/message-text.js'
import { asCommandError, type Command, CommandError } from '../command-line.js'
import { withProgress } from '../progress.js'

export const backup: Command = {
  name: 'backup',
  summary: 'Copy the log and what was decided into a folder, while they are in use.',
  usage: 'FOLDER',
  example: 'backup ./backup --models',
  models: 'none',
  flags: { models: { type: 'boolean', help: 'the read models too, so that they need not be built again' } },
  async run({ config, positionals, has, answer, io }) {
    const [folder] = positionals
    if (folder === undefined) throw new CommandError('name one folder to write the backup into')
    const onWarning = (text: string) => io.warn(`vitrine backup: ${text}`)
    const files = await withProgress(io.stderr, 'copying', null, (onCopied) =>
      createBackup(config, folder, { models: has('models'), onWarning, onCopied }),
    ).catch(asCommandError(BackupError))
    answer({ folder, files }, [`${plural(files.length, 'file')} copied to ${folder}:`, ...files.map((file) => `  ${file}`)])
  },
}

export const restore: Command = {
  name: 'restore',
  summary: 'Put a backup into an empty data folder or stream. Models that are not in it are built again on the next start.',
  usage: 'FOLDER',
  example: 'restore ./backup --data-dir ./restored',
  models: 'none',
  flags: { removals: { type: 'string', help: 'the data folder before, or a newer backup: people removed since stay removed' } },
  async run({ config, positionals, flag, answer, io }) {
    const [folder] = positionals
    if (folder === undefined) throw new CommandError('name the folder of one backup')
    const from = flag('removals')
    const restored = await withProgress(io.stderr, 'copying', null, (onCopied) =>
      restoreBackup(config, folder, { removalsFrom: from, onCopied }),
    ).catch(asCommandError(BackupError))
    if (from === undefined)
      io.warn(
        'vitrine restore: without --removals, creators who were removed after the backup are back until the removal is published again',
      )
    const { files, removals, redactions } = restored
    const applied = from === undefined ? '' : ` ${plural(removals, 'later removal')} and ${plural(redactions, 'redaction')} applied.`
    answer(
      restored,
      `${plural(files.length, 'file')} restored to ${config.NATS_URL === undefined ? config.DATA_DIR : `the stream ${config.NATS_STREAM}`}.${applied} Start with "vitrine serve".`,
    )
  },
}
