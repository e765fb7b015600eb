import type { Commit, DocumentStore, Generation, GenerationStore } from '../../../src/ports/document-store.js'
import { replacing } from '../../support/replacing.js'

/** The moments of a rebuild or rollback at which its leader may die. */
export const MOMENTS = [
  'when it has begun',
  'when its generation is made',
  'when it has loaded a part',
  'when it builds indexes',
  'when it has built indexes',
  'before the switch-over',
  'after the switch-over, before it is recorded',
] as const
export type Moment = (typeof MOMENTS)[number]

/** A store whose user dies at one moment of bringing up a generation that is not the live one. */
export function crashing(store: DocumentStore, moment: Moment, die: () => void): DocumentStore {
  const at = (now: Moment) => {
    if (now === moment) die()
  }
  return replacing(store, {
    async createGeneration(...args) {
      at('when it has begun')
      const made = await store.createGeneration(...args)
      at('when its generation is made')
      return made
    },
    async openGeneration(generation, collections) {
      const opened = await store.openGeneration(generation, collections)
      return generation.state === 'live' ? opened : dyingGeneration(opened, at)
    },
    async promote(generation: Generation, lease) {
      at('before the switch-over')
      await store.promote(generation, lease)
      at('after the switch-over, before it is recorded')
    },
  })
}

function dyingGeneration(opened: GenerationStore, at: (moment: Moment) => void): GenerationStore {
  return replacing(opened, {
    async commit(commit: Commit) {
      await opened.commit(commit)
      if (commit.to.position > commit.from.position) at('when it has loaded a part')
    },
    async buildIndexes(around) {
      at('when it builds indexes')
      await opened.buildIndexes(around)
      at('when it has built indexes')
    },
  })
}
