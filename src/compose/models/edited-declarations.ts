/** Custom models whose declaration was edited without a new version: their documents are partly those of the former one. */
import type { Projection } from '../../engine/definition/projection.js'
import { liveGeneration } from '../../engine/fold/open-generation.js'
import type { DocumentStore, Generation } from '../../ports/document-store.js'
import type { ModelSet } from './model-set.js'

/** By generation: the digest of the declaration that it was begun with. */
const KIND = 'declaration'

const idOf = ({ projection, number }: Generation): string => `${projection}.${number}`

const ownProjections = ({ own }: Pick<ModelSet, 'own'>): Projection[] =>
  own.flatMap(({ models }) => models.map(({ projection }) => projection))

/** Notes what a new generation is built with, and forgets those that are gone. */
export async function noteDeclaration(store: DocumentStore, models: Pick<ModelSet, 'own'>, generation: Generation): Promise<void> {
  const { projection: name } = generation
  const value = ownProjections(models)
    .find((projection) => projection.name === name)
    ?.digest?.()
  if (value === undefined) return
  const kept = (await store.generations(name)).map(idOf)
  for (const { id } of await store.controlRecords(KIND))
    if (id.startsWith(`${name}.`) && !kept.includes(id)) await store.deleteControlRecord(KIND, id)
  await store.putControlRecord({ kind: KIND, id: idOf(generation), revision: 0, value })
}

/** What to say of each, in a line. */
export async function editedDeclarations(store: DocumentStore, models: ModelSet): Promise<string[]> {
  const records = await store.controlRecords(KIND)
  const edited: string[] = []
  for (const { name, version, digest } of ownProjections(models)) {
    const live = await liveGeneration(store, name)
    const built = live?.version === version ? records.find(({ id }) => id === idOf(live)) : undefined
    if (built !== undefined && built.value !== digest?.()) edited.push(`${name} was edited, but still has version ${version}`)
  }
  return edited
}
