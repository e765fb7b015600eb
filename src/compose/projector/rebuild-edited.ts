/** For development: models are rebuilt when their code changes, without a new version. */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Projection } from '../../engine/definition/projection.js'
import { liveGeneration } from '../../engine/fold/open-generation.js'
import { type Request, RequestStore } from '../../engine/requests/request-store.js'
import { packageRoot } from '../../lib/package-root.js'
import type { ControlRecord, DocumentStore } from '../../ports/document-store.js'
import type { Config } from '../config.js'
import { BUILT_IN } from '../models/built-in.js'
import type { ModelSet } from '../models/model-set.js'
import { withDocuments } from '../stores.js'

/** By projection: the digest of the code that its documents were built with, or are being built with. */
const KIND = 'code'
const POLL_MS = 100
const COMPILED = new URL('../../../', import.meta.url)

/** Requests a rebuild of each model whose code has changed. To be called before the projector starts. */
export const requestRebuildOfEdited = (config: Config, { projections }: ModelSet): Promise<Request[]> =>
  withDocuments(config, async (store) => {
    const records = await store.controlRecords(KIND)
    const requested: (Request | null)[] = []
    for (const projection of projections) {
      const id = projection.name
      const record = records.find((candidate) => candidate.id === id) ?? { kind: KIND, id, revision: 0, value: null }
      requested.push(await requestIfEdited(store, projection, record))
    }
    return requested.filter((request) => request !== null)
  })

/** Reports each request once it has ended. */
export const reportEnds = (
  config: Config,
  requested: readonly Request[],
  signal: AbortSignal,
  report: (ended: Request) => void,
): Promise<void> =>
  withDocuments(config, async (store) => {
    let open = requested.map(({ id }) => id)
    while (open.length > 0 && !signal.aborted) {
      const all = await new RequestStore(store).all()
      const ended = all.filter(({ id, state }) => open.includes(id) && state !== 'open')
      for (const request of ended) report(request)
      open = open.filter((id) => all.some((request) => request.id === id && request.state === 'open'))
      await delay(POLL_MS, undefined, { signal }).catch(() => {})
    }
  })

/** Null if it has been built with this code, or is being built for the first time. */
async function requestIfEdited(
  store: DocumentStore,
  { name, version, digest: declaration }: Projection,
  record: ControlRecord,
): Promise<Request | null> {
  const live = await liveGeneration(store, name)
  const { digest, editedAt } = codeDigests().get(name) ?? { digest: declaration?.() ?? '', editedAt: 0 }
  const requests = new RequestStore(store)
  const isSameVersion = live === null || live.version === version
  if (record.value === digest && isSameVersion) return (await requests.open(name)).find(isRebuild) ?? null
  if (record.value !== digest) await discardUnfinished(store, requests, name)
  // The first time here. A program that keeps no record has built it, perhaps from the same code.
  const isOlderThanModel = record.value === null && live !== null && editedAt < live.createdAt
  const isBuilt = live === null || (isSameVersion && isOlderThanModel)
  const request = isBuilt ? null : await requests.submit(name, version, { kind: 'rebuild', maxRate: null })
  // Last: if this process dies before, the next one requests it again.
  await store.putControlRecord({ ...record, value: digest })
  return request
}

/** What was begun with other code cannot be continued with this. */
async function discardUnfinished(store: DocumentStore, requests: RequestStore, name: string): Promise<void> {
  for (const request of await requests.open(name)) if (isRebuild(request)) await requests.finish(request, 'failed', 'its code has changed')
  for (const generation of await store.generations(name)) if (generation.state === 'loading') await store.dropGeneration(generation)
}

const isRebuild = ({ order }: Request): boolean => order.kind === 'rebuild'

interface Code {
  digest: string
  /** When one of its sources was last written. */
  editedAt: number
}

let known: ReadonlyMap<string, Code> | null = null

/** The code of each of our projections when this was first called. */
export function codeDigests(): ReadonlyMap<string, Code> {
  const names = BUILT_IN.flatMap(({ projection }) => projection?.name ?? [])
  known ??= new Map(names.map((name) => [name, codeOf(new URL(`projections/${name}/index.js`, COMPILED))]))
  return known
}

/** Of a compiled module and all that it imports from this project: imports of types are gone there. */
function codeOf(entry: URL): Code {
  const hash = createHash('sha256')
  const seen = new Set<string>()
  let editedAt = 0
  const add = (module: URL): void => {
    if (seen.has(module.href) || !existsSync(module)) return
    seen.add(module.href)
    const code = readFileSync(module, 'utf8')
    hash.update(`${code}\0`)
    editedAt = Math.max(editedAt, statSync(sourceOf(module), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY)
    for (const [, specifier = ''] of code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g))
      add(new URL(specifier, module))
  }
  add(entry)
  return { digest: hash.digest('hex'), editedAt }
}

const sourceOf = (module: URL): URL => new URL(module.href.slice(COMPILED.href.length).replace(/js$/, 'ts'), packageRoot)
