import { edgesOf, tombstone } from '../../readmodels/collection.js'
import { creators, type Item, items, likes, terms } from '../../readmodels/feed/documents.js'
import { tagKeys } from '../../readmodels/tags/tag-key.js'
import { type Docs, deletingSweep, type FanOut, type Fold, livingState, ref, sweep } from '../../src/engine/definition/projection.js'
import type { EventName, EventOf } from '../../src/events/index.js'
import { blankFeedCreator, blankItem, creatorCard, itemWith, originalFields } from './derived-fields.js'
import { addEngagementHeat } from './trending.js'
import { affectedRefs, changeCreator, changeOriginal, removeItem, replaceItem } from './update-item.js'

type CreationEvent = Extract<EventName, `creation.${string}`>
type About<N extends CreationEvent> = EventOf<N> & { data: { creationId: string } }

/** The creation an event is about; the engine has made sure that it is not removed. */
export const itemOf = (docs: Docs, id: string): Item => livingState(docs, items, id, blankItem)

/** Known from the event alone, so that they are loaded with the creation and not after it. */
const termsRef = ({ key }: { key: string }) => [ref(terms, key)]

/** A fold that changes the creation itself, and with it what depends on it. */
function itemFold<N extends CreationEvent>(change: (item: Item, event: EventOf<N>) => Item, fanOut?: readonly FanOut<N>[]): Fold<N> {
  return {
    touches: termsRef,
    also(event, docs) {
      const item = itemOf(docs, event.key)
      return affectedRefs(docs, item, change(item, event))
    },
    apply(event, docs) {
      const item = itemOf(docs, event.key)
      replaceItem(docs, item, change(item, event))
    },
    ...(fanOut === undefined ? {} : { fanOut }),
  }
}

/** Remixes show their original's title and address, and only while it is public. */
function showOnRemixes<N extends CreationEvent>(when: (event: About<N>) => boolean = () => true): FanOut<N> {
  return sweep(items, {
    where: (event, docs) => {
      const item = docs.get(items, event.key)
      const noRemixes = item !== undefined && !item.removed && item.derivatives === 0
      return noRemixes || !when(event as About<N>) ? null : { index: 'byRemixOf', equals: [event.key] }
    },
    each(event, remix, docs) {
      if (!remix.removed) docs.put(items, itemWith(remix, originalFields(docs.get(items, event.key))))
    },
  })
}

const published: Fold<'creation.published'> = {
  touches: ({ key, data }) => [
    ref(terms, key),
    ref(creators, data.creatorId),
    ...(data.remixOf === null ? [] : [ref(items, data.remixOf)]),
  ],
  also(event, docs) {
    const item = itemOf(docs, event.key)
    return affectedRefs(docs, item, publishedItem(item, event, docs))
  },
  apply(event, docs) {
    const item = itemOf(docs, event.key)
    const next = publishedItem(item, event, docs)
    if (item.creatorId === null) {
      if (next.remixOf !== null && docs.get(items, next.remixOf) === undefined) docs.put(items, blankItem(next.remixOf))
      const creator = docs.get(creators, event.data.creatorId)
      // A creator who was erased earlier stays erased.
      if (creator?.removed) return docs.put(items, tombstone(item._id, item.seq))
      if (creator === undefined) docs.put(creators, blankFeedCreator(event.data.creatorId))
      changeCreator(docs, next.creatorId, (owner) => ({ ...owner, creations: owner.creations + 1 }))
      changeOriginal(docs, next, (original) =>
        itemWith(original, {
          derivatives: original.derivatives + 1,
          heat: addEngagementHeat(original.heat, 'remix', event.time),
        }),
      )
    }
    replaceItem(docs, item, next)
  },
  fanOut: [deletingSweep(likes, (event, docs) => (docs.get(items, event.key)?.removed ? edgesOf(event.key) : null)), showOnRemixes()],
}

/** The first publication sets creator and original; a later one counts as an edit that publishes again. */
function publishedItem(item: Item, { data, time, position }: EventOf<'creation.published'>, docs: Docs): Item {
  const first = item.creatorId === null
  const remixOf = first ? (data.remixOf === data.creationId ? null : data.remixOf) : item.remixOf
  const creatorId = item.creatorId ?? data.creatorId
  return itemWith(item, {
    published: true,
    creatorId,
    kind: data.kind,
    slug: data.slug,
    slugAt: item.slug === data.slug ? item.slugAt : position,
    title: data.title,
    description: data.description,
    category: data.category,
    tags: tagKeys(data.tags),
    coverUrl: data.coverUrl,
    publishedAt: first ? time : item.publishedAt,
    updatedAt: Math.max(item.updatedAt, time),
    creator: creatorCard(docs.get(creators, creatorId)),
    remixOf,
    ...originalFields(remixOf === null ? undefined : docs.get(items, remixOf)),
  })
}

const edited = itemFold<'creation.edited'>(
  (item, { data, time, position }) =>
    itemWith(item, {
      title: data.title ?? item.title,
      description: data.description ?? item.description,
      category: data.category ?? item.category,
      tags: data.tags === undefined ? item.tags : tagKeys(data.tags),
      coverUrl: data.coverUrl === undefined ? item.coverUrl : data.coverUrl,
      slug: data.slug ?? item.slug,
      slugAt: data.slug === undefined || data.slug === item.slug ? item.slugAt : position,
      updatedAt: Math.max(item.updatedAt, time),
    }),
  [showOnRemixes<'creation.edited'>(({ data }) => data.title !== undefined || data.slug !== undefined)],
)

const unpublished = itemFold<'creation.unpublished'>((item) => itemWith(item, { published: false }), [showOnRemixes()])

/** Only what was published before can be published again. */
const republished = itemFold<'creation.republished'>((item) => itemWith(item, { published: item.creatorId !== null }), [showOnRemixes()])

const removed: Fold<'creation.removed'> = {
  touches: termsRef,
  also: (event, docs) => {
    const item = itemOf(docs, event.key)
    return affectedRefs(docs, item, itemWith(item, { published: false }))
  },
  apply: (event, docs) => removeItem(docs, itemOf(docs, event.key)),
  fanOut: [deletingSweep(likes, (event) => edgesOf(event.key)), showOnRemixes()],
}

const featured = itemFold<'creation.featured'>((item, { data }) => itemWith(item, { featured: true, spotlight: data.spotlight }))
const unfeatured = itemFold<'creation.unfeatured'>((item) => itemWith(item, { featured: false, spotlight: false }))

export const creationFolds = {
  'creation.published': published,
  'creation.edited': edited,
  'creation.unpublished': unpublished,
  'creation.republished': republished,
  'creation.removed': removed,
  'creation.featured': featured,
  'creation.unfeatured': unfeatured,
}
