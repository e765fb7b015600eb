/** Prints the API documents; the same ones are generated into `docs/`. */

import { modelSet } from '../../compose/models/model-set.js'
import { openApiDocument } from '../../discovery/openapi/document.js'
import { asyncApiDocument } from '../../events/asyncapi.js'
import type { Command } from '../command-line.js'
import { configurationDocument } from '../configuration-document.js'

export const openapi: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI 3.1 document of everything public.',
  example: 'openapi --base-url https://api.example.com',
  models: 'declared',
  async run({ config, models, io }) {
    io.print(printed(openApiDocument({ baseUrl: config.BASE_URL, webUrl: config.WEB_URL }, models.reads)))
  },
}

export const asyncapi: Command = {
  name: 'asyncapi',
  summary: 'Print the AsyncAPI 3 document of the events the backend publishes.',
  example: 'asyncapi > asyncapi.json',
  models: 'declared',
  async run({ models, io }) {
    io.print(printed(asyncApiDocument(models.events)))
  },
}

/** Addresses in the committed documents; a running service uses its own. */
const SITES = { baseUrl: 'https://api.vitrine.example', webUrl: 'https://vitrine.example' }

/** The generated documents under `docs/`. */
export function publishedDocuments(): { path: string; content: string }[] {
  const { reads, events } = modelSet()
  return [
    { path: 'docs/openapi.json', content: `${printed(openApiDocument(SITES, reads)).join('\n')}\n` },
    { path: 'docs/asyncapi.json', content: `${printed(asyncApiDocument(events)).join('\n')}\n` },
    { path: 'docs/configuration.md', content: configurationDocument() },
  ]
}

const printed = (document: object): string[] => JSON.stringify(document, null, 2).split('\n')
