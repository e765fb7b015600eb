/** What only a share page shows: who scored best. The creation itself and its remixes come from the feed. */
import { edgeId, edgesOf, tombstone } from '../../readmodels/collection.js'
import { players, type ScoreDoc, type Scored, scoredCreations, scores } from '../../readmodels/shares/documents.js'
import {
  deletingSweep,
  type FanOut,
  type Fold,
  livingState,
  nestedSweep,
  projection,
  ref,
  stateIn,
  sweep,
} from '../../src/engine/definition/projection.js'
import { NOT_PUBLISHED, publish } from '../publication.js'

const blankScored = (id: string): Scored => ({ _id: id, seq: 0, removed: false, ...NOT_PUBLISHED })
const blankPlayer = (id: string) => ({ _id: id, seq: 0, removed: false as const })

const published: Fold<'creation.published'> = {
  touches: ({ data }) => [ref(players, data.creatorId)],
  apply(event, docs) {
    const doc = livingState(docs, scoredCreations, event.key, blankScored)
    // A creator who was erased stays erased, and so does what names them.
    if (docs.get(players, event.data.creatorId)?.removed) docs.put(scoredCreations, tombstone(event.key, doc.seq))
    else docs.put(scoredCreations, { ...doc, ...publish(doc, event, {}) })
  },
  fanOut: [deletingSweep(scores, (event, docs) => (docs.get(scoredCreations, event.key)?.removed ? edgesOf(event.key) : null))],
}

const scored: Fold<'creation.scored'> = {
  touches: ({ key, data }) => [ref(scores, edgeId(key, data.userId)), ref(players, data.userId)],
  apply({ key, data: { userId, score }, time }, docs) {
    if (docs.get(players, userId)?.removed) return
    const _id = edgeId(key, userId)
    const best = docs.get(scores, _id)
    if (best === undefined || beats(score, time, best)) {
      // 0 - score, because -0 and 0 are the same score but not the same text.
      docs.put(scores, { _id, creationId: key, userId, score, rank: 0 - score, achievedAt: time })
    }
  },
}

const beats = (score: number, time: number, best: ScoreDoc): boolean =>
  score > best.score || (score === best.score && time < best.achievedAt)

const removed: Fold<'creation.removed'> = {
  apply({ key, sequence }, docs) {
    docs.put(scoredCreations, tombstone(key, sequence))
  },
  fanOut: [deletingSweep(scores, (event) => edgesOf(event.key))],
}

const creatorRemoved: Fold<'creator.removed'> = {
  apply({ key, sequence }, docs) {
    docs.put(players, tombstone(key, sequence))
  },
  fanOut: [
    sweep(scores, {
      where: (event) => ({ index: 'byUser', equals: [event.key] }),
      each: (_event, score, docs) => docs.delete(scores, score._id),
    }),
    ...removeScoredOf('byCreator'),
    ...removeScoredOf('byOtherCreator'),
  ],
}

function removeScoredOf(index: 'byCreator' | 'byOtherCreator'): FanOut<'creator.removed'>[] {
  return [
    nestedSweep(scoredCreations, scores, {
      through: (event) => ({ index, equals: [event.key] }),
      where: (creation) => edgesOf(creation._id),
      each: (_event, score, docs) => docs.delete(scores, score._id),
    }),
    sweep(scoredCreations, {
      where: (event) => ({ index, equals: [event.key] }),
      each: (_event, doc, docs) => docs.put(scoredCreations, tombstone(doc._id, doc.seq)),
    }),
  ]
}

export const sharesProjection = projection({
  name: 'shares',
  version: 3,
  orderFree: true,
  collections: [scoredCreations, players, scores],
  state: { creation: stateIn(scoredCreations, blankScored), creator: stateIn(players, blankPlayer) },
  on: {
    'creation.published': published,
    'creation.scored': scored,
    'creation.removed': removed,
    'creator.removed': creatorRemoved,
  },
})
