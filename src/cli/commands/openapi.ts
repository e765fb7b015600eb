import { publicReads } from '../../compose/models.js'
import { openApiDocument } from '../../discovery/openapi/document.js'
import type { Command } from '../command-line.js'

export const openapi: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI 3.1 document of everything public.',
  async run({ config, io }) {
    io.print(JSON.stringify(openApiDocument({ baseUrl: config.BASE_URL, webUrl: config.WEB_URL }, publicReads), null, 2))
    return 0
  },
}
