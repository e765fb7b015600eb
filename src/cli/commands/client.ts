import { publicReads } from '../../compose/models.js'
import { printClientModule } from '../../discovery/client/client-module.js'
import { openApiDocument } from '../../discovery/openapi/document.js'
import type { Command } from '../command-line.js'

export const client: Command = {
  name: 'client',
  summary: 'Print the types of all public reads as TypeScript, for the client in vitrine/client.',
  example: 'client > api.ts',
  async run({ config, io }) {
    const document = openApiDocument({ baseUrl: config.BASE_URL, webUrl: config.WEB_URL }, publicReads)
    io.print(printClientModule(document, 'vitrine/client').trimEnd())
    return 0
  },
}
