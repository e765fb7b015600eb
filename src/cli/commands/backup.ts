import { BackupError, createBackup } from '../../compose/backup.js'
import { plural } from '../../lib/message-text.js'
import { asCommandError, type Command, CommandError } from '../command-line.js'

export const backup: Command = {
  name: 'backup',
  summary: 'Copy the embedded stores into a folder, while they are in use.',
  usage: 'FOLDER',
  flags: { models: { type: 'boolean', help: 'the read models too, so that they need not be built again' } },
  async run({ config, positionals, has, json, io }) {
    const [folder, surplus] = positionals
    if (folder === undefined || surplus !== undefined) throw new CommandError('name one folder to write the backup into')
    const onWarning = (text: string) => io.warn(`vitrine backup: ${text}`)
    const files = await createBackup(config, folder, { models: has('models'), onWarning }).catch(asCommandError(BackupError))
    io.print(json ? JSON.stringify({ folder, files }) : `${plural(files.length, 'file')} copied to ${folder}:\n  ${files.join('\n  ')}`)
    return 0
  },
}
