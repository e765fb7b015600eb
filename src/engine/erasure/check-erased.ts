import type { Position } from '../../events/index.js'
import type { DocumentStore, Generation, GenerationStore } from '../../ports/document-store.js'
import type { Projection } from '../definition/projection.js'
import { withGeneration } from '../fold/open-generation.js'

/** It is too early to redact, or what is to be redacted has not been removed. */
export class RedactionError extends Error {
  override name = 'RedactionError'
}

export interface Erased {
  kind: 'creator' | 'creation'
  id: string
}

export interface Removal extends Erased {
  removedAt: Position
}

export const subjectOf = ({ kind, id }: Erased): string => `${kind}/${id}`

/**
 * By subject, why it is too early to redact what was removed. Every generation that holds creators (or creations), live or retired,
 * must have the tombstone: without it the person is still there, and a model that has not folded the removal would show the word
 * "redacted" to readers.
 */
export async function notErased(
  store: DocumentStore,
  projections: readonly Projection[],
  removals: readonly Removal[],
): Promise<Map<string, string>> {
  const refusals = new Map<string, string>()
  await forEachGeneration(store, projections, async ({ state }, opened, generation) => {
    const { position } = await opened.checkpoint()
    for (const kind of ['creator', 'creation'] as const) {
      // A retired generation is caught up only with removals that it knows.
      if (kind === 'creation' && state.creation === undefined) continue
      const wanted = removals.filter((each) => each.kind === kind)
      const ids = wanted.map(({ id }) => id)
      const found = state[kind] === undefined ? null : await opened.get(state[kind].collection, ids)
      for (const [i, removal] of wanted.entries()) {
        const subject = subjectOf(removal)
        if (refusals.has(subject)) continue
        if (position < removal.removedAt)
          refusals.set(subject, `${nameOf(generation)} has not come to the removal at position ${removal.removedAt} yet: try again later`)
        else if (found !== null && found[i]?.removed !== true)
          refusals.set(
            subject,
            `${nameOf(generation)} has no tombstone of ${subject}, so the removal was not applied there: ${generation.state === 'live' ? 'see its dead letters, or ' : ''}${anew(generation)}`,
          )
      }
    }
  })
  return refusals
}

/** Throws unless these creations are gone everywhere: a generation of an earlier release did not know whose they are. */
export async function checkNoneLeft(store: DocumentStore, projections: readonly Projection[], creations: readonly string[]): Promise<void> {
  await forEachGeneration(store, projections, async ({ state: { creation }, on }, opened, generation) => {
    if (creation === undefined || on['creation.removed'] === undefined) return
    const left = (await opened.get(creation.collection, creations)).find((doc) => doc?.removed === false)
    if (left !== undefined)
      throw new RedactionError(`${nameOf(generation)} still holds creation/${left._id} of theirs: try again later, or ${anew(generation)}`)
  })
}

type Look = (projection: Projection, opened: GenerationStore, generation: Generation) => Promise<void>

async function forEachGeneration(store: DocumentStore, projections: readonly Projection[], look: Look): Promise<void> {
  for (const projection of projections) {
    const { name, state } = projection
    // Without indexes: a generation may be of another version, and must not change.
    const collections = [...new Set([state.creator, state.creation])].flatMap((each) =>
      each === undefined ? [] : [{ ...each.collection, indexes: [] }],
    )
    for (const generation of await store.generations(name)) {
      // One that is loading goes live only after it has come to the removal.
      if (generation.state === 'loading') continue
      await withGeneration(store, generation, collections, (opened) => look(projection, opened, generation))
    }
  }
}

const nameOf = ({ state, projection, number }: Generation): string =>
  state === 'live' ? projection : `the retired generation ${number} of ${projection}`

const anew = ({ state, projection }: Generation): string =>
  state === 'live' ? `run "vitrine rebuild ${projection}"` : `run "vitrine generations ${projection} --prune"`
