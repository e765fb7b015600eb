/** The feed: one document per creation, with all that pages, filters, sorts, searches and the landing need. */
import { type CategoryDoc, categories, counters, creators, items, likes, terms } from '../../readmodels/feed/documents.js'
import { type Fold, projection, stateIn } from '../../src/engine/definition/projection.js'
import { creationFolds } from './creation-events.js'
import { creatorFolds } from './creator-events.js'
import { blankFeedCreator, blankItem } from './derived-fields.js'
import { engagementFolds } from './engagement-events.js'

const blankCategory = (id: string): CategoryDoc => ({ _id: id, seq: 0, removed: false, label: {}, order: 0, coverUrl: null })

const categoryDefined: Fold<'category.defined'> = {
  apply({ key, data, sequence }, docs) {
    if (sequence <= (docs.get(categories, key)?.seq ?? 0)) return
    docs.put(categories, { ...blankCategory(key), seq: sequence, label: data.label, order: data.order, coverUrl: data.coverUrl })
  },
}

export const feedProjection = projection({
  name: 'feed',
  version: 5,
  orderFree: true,
  collections: [items, creators, likes, terms, counters, categories],
  state: {
    creation: stateIn(items, blankItem),
    creator: stateIn(creators, blankFeedCreator),
    category: stateIn(categories, blankCategory),
  },
  on: { ...creatorFolds, ...creationFolds, ...engagementFolds, 'category.defined': categoryDefined },
})
