import { readFile } from 'node:fs/promises'
import { printClientModule } from '../../discovery/client/client-module.js'
import { UnfitDocumentError } from '../../discovery/client/type-printer.js'
import { openApiDocument } from '../../discovery/openapi/document.js'
import { type Command, CommandError } from '../command-line.js'
import { reasonOf } from './health.js'

const TIMEOUT_MS = 30_000

export const client: Command = {
  name: 'client',
  summary: 'Print the types of all public reads as TypeScript, for the client in vitrine/client.',
  example: 'client > api.ts',
  models: 'declared',
  flags: { from: { type: 'string', help: 'OpenAPI document of another installation: a file or an address' } },
  async run({ config, models, io, flag }) {
    const from = flag('from')
    const document =
      from === undefined ? openApiDocument({ baseUrl: config.BASE_URL, webUrl: config.WEB_URL }, models.reads) : await readDocument(from)
    try {
      io.print(printClientModule(document).trimEnd().split('\n'))
    } catch (error) {
      throw error instanceof UnfitDocumentError ? new CommandError(`cannot use ${from}: ${error.message}`) : error
    }
  },
}

async function readDocument(from: string): Promise<unknown> {
  const text = /^https?:/.test(from) ? await download(from) : await readFile(from, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandError(`${from} is not JSON`)
  }
}

async function download(url: string): Promise<string> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) throw new CommandError(`${url} answers with ${response.status}`)
    return await response.text()
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(`cannot read ${url}: ${reasonOf(error)}`)
  }
}
