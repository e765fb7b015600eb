import { asyncApiDocument } from '../../events/asyncapi.js'
import type { Command } from '../command-line.js'

export const asyncapi: Command = {
  name: 'asyncapi',
  summary: 'Print the AsyncAPI 3 document of the events the backend publishes.',
  async run({ io }) {
    io.print(JSON.stringify(asyncApiDocument(), null, 2))
    return 0
  },
}
