import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { getCommunityFeed } from '../../readmodels/feed/public-reads.js'
import { getCreatorProfile } from '../../readmodels/profiles/public-reads.js'
import type { Operation } from '../../src/contract/operation.js'
import { PublicUrls } from '../../src/contract/public-urls.js'
import { KeptDocuments } from '../../src/operations/cache/kept-documents.js'
import { ModelVersions } from '../../src/operations/cache/model-versions.js'
import { ReadExecutor } from '../../src/operations/read-executor.js'
import type { DocumentStore } from '../../src/ports/document-store.js'
import { modelsPath } from '../workspace.js'

export const LIMIT = 24

/** An operation without any cached answer, from its input to the bytes of its answer. `keeps`: documents that were read before. */
export function uncached(store: DocumentStore, { keeps = false } = {}) {
  const models = [...new Set([...getCommunityFeed.models, ...getCreatorProfile.models])]
  const versions = new ModelVersions(store, models)
  const kept = keeps ? { kept: new KeptDocuments(versions, models) } : {}
  const operations = new ReadExecutor(store, new PublicUrls('vitrine.example'), { versions, ...kept })
  const read = async (operation: Operation, input: Record<string, unknown>): Promise<Buffer> => {
    await versions.refresh()
    const { data } = await operations.execute(operation, input)
    return Buffer.from(JSON.stringify({ code: 0, data }))
  }
  return { read, feed: (input: object): Promise<Buffer> => read(getCommunityFeed, { limit: LIMIT, ...input }) }
}

/** The file that readers of the feed read; a generation that was live before is still beside it. */
export function feedFile(folder: string): string {
  const [newest] = readdirSync(modelsPath(folder))
    .flatMap((name) => {
      const number = /^feed_v\d+_g(\d+)\.db$/.exec(name)?.[1]
      return number === undefined ? [] : [{ name, number: Number(number) }]
    })
    .sort((a, b) => b.number - a.number)
  if (newest === undefined) throw new Error('the feed was not projected')
  return join(modelsPath(folder), newest.name)
}
