import { openApiDocument } from '../discovery/openapi/document.js'
import { asyncApiDocument } from '../events/asyncapi.js'
import { publicReads } from './models.js'

/** Addresses in the committed documents; a running service uses its own. */
const SITES = { baseUrl: 'https://api.vitrine.example', webUrl: 'https://vitrine.example' }

/** The generated documents under `docs/`. */
export function publishedDocuments(): { path: string; content: string }[] {
  return [
    { path: 'docs/openapi.json', content: printed(openApiDocument(SITES, publicReads)) },
    { path: 'docs/asyncapi.json', content: printed(asyncApiDocument()) },
  ]
}

const printed = (document: object): string => `${JSON.stringify(document, null, 2)}\n`
