/** Models whose declaration was edited without a new version: their documents are partly those of the former one. */
import type { Projection } from '../../engine/definition/projection.js'
import { liveGeneration } from '../../engine/fold/open-generation.js'
import { RequestStore } from '../../engine/requests/request-store.js'
import type { ControlRecord, DocumentStore, Generation } from '../../ports/document-store.js'
import type { Config } from '../config.js'
import { withDocuments } from '../stores.js'
import type { ModelSet } from './model-set.js'

/** By generation: the digest of the declaration that it was begun with. */
const KIND = 'declaration'

const idOf = ({ projection, number }: Generation): string => `${projection}.${number}`

/** The store for a projector, which notes what a new generation is built with, and forgets those that are gone. */
export const notingDeclarations = (store: DocumentStore, projections: readonly Projection[]): DocumentStore => ({
  ...store,
  async createGeneration(name, version, collections) {
    const generation = await store.createGeneration(name, version, collections)
    const value = projections.find((projection) => projection.name === name)?.digest?.()
    if (value === undefined) return generation
    const kept = (await store.generations(name)).map(idOf)
    for (const { id } of await store.controlRecords(KIND))
      if (id.startsWith(`${name}.`) && !kept.includes(id)) await store.deleteControlRecord(KIND, id)
    await store.putControlRecord({ kind: KIND, id: idOf(generation), revision: 0, value })
    return generation
  },
})

/** What to say of each custom model, in a line: the built-in ones change with releases. */
export async function editedDeclarations(store: DocumentStore, { own }: Pick<ModelSet, 'own'>): Promise<string[]> {
  const records = await store.controlRecords(KIND)
  const edited: string[] = []
  for (const { projection } of own.flatMap(({ models }) => models)) {
    const { name, version } = projection
    const live = await liveGeneration(store, name)
    if (live?.version === version && isOfAnother(records, live, projection))
      edited.push(`${name} was edited, but still has version ${version}`)
  }
  return edited
}

/** Generations, live or being built, that were begun with another declaration. */
async function generationsToReplace(store: DocumentStore, projection: Projection): Promise<Generation[]> {
  const records = await store.controlRecords(KIND)
  const current = (await store.generations(projection.name)).filter(({ state }) => state !== 'retired')
  return current.filter((generation) => generation.version !== projection.version || isOfAnother(records, generation, projection))
}

/** What is not known, as of an earlier release, is taken for the same. */
function isOfAnother(records: readonly ControlRecord[], generation: Generation, { digest }: Projection): boolean {
  const built = records.find(({ id }) => id === idOf(generation))
  return built !== undefined && built.value !== digest?.()
}

/**
 * For development: requests a rebuild of each model whose declaration has changed, without a new version. To be called before the
 * projector starts. Returns their names.
 */
export const rebuildEdited = (config: Config, { projections }: ModelSet): Promise<string[]> =>
  withDocuments(config, async (store) => {
    const requests = new RequestStore(store)
    const edited: string[] = []
    for (const projection of projections) {
      const { name, version } = projection
      const others = await generationsToReplace(store, projection)
      // What was begun with another declaration cannot be continued with this one.
      for (const generation of others.filter(({ state }) => state === 'loading')) {
        for (const request of await requests.open(name))
          if (request.generation === generation.number) await requests.finish(request, 'failed', 'its declaration has changed')
        await store.dropGeneration(generation)
      }
      if (!others.some(({ state }) => state === 'live')) continue
      await requests.submit(name, version, { kind: 'rebuild', maxRate: null })
      edited.push(name)
    }
    return edited
  })
