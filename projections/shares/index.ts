/** What only a share page shows: who scored best. The creation itself and its remixes come from the feed. */
import { score } from '../../readmodels/shares/documents.js'
import { declared, first, person, state } from '../../src/engine/declared/index.js'

/** Only to know whose it is, and what was removed. */
export const creation = state('creation', { creatorId: first(person) }, { name: 'scoredCreations' })

/** Only to know who was erased. The engine would add it, under another name. */
export const player = state('creator', {}, { name: 'players' })

export const sharesProjection = declared({
  name: 'shares',
  version: 4,
  keeps: [creation, player, score],
  on: {
    'creation.published': ({ data }) => creation({ creatorId: data.creatorId }),
    // The best of each person is kept.
    'creation.scored': ({ data }) => score(data.userId, { score: data.score }),
  },
})
