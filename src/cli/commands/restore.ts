import { BackupError, restoreBackup } from '../../compose/backup.js'
import { plural } from '../../lib/message-text.js'
import { asCommandError, type Command, CommandError } from '../command-line.js'

export const restore: Command = {
  name: 'restore',
  summary: 'Put a backup into an empty data folder. Models that are not in it are built again on the next start.',
  usage: 'FOLDER',
  async run({ config, positionals, json, io }) {
    const [folder, surplus] = positionals
    if (folder === undefined || surplus !== undefined) throw new CommandError('name the folder of one backup')
    const files = await restoreBackup(config, folder).catch(asCommandError(BackupError))
    const text = `${plural(files.length, 'file')} restored to ${config.DATA_DIR}. Start with "vitrine serve".`
    io.print(json ? JSON.stringify({ files }) : text)
    return 0
  },
}
