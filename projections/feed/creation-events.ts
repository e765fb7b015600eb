import { edgesOf } from '../../readmodels/collection.js'
import { creators, type Item, items, likes, terms } from '../../readmodels/feed/documents.js'
import { tagKeys } from '../../readmodels/tags/tag-key.js'
import { type Docs, deletingSweep, type FanOut, type Fold, livingState, ref, sweep } from '../../src/engine/definition/projection.js'
import type { EventName, EventOf } from '../../src/events/index.js'
import { claimPosition, setFields, setOwnFields } from '../../src/lib/field-versions.js'
import { mayBeGivenUp } from '../../src/lib/sequence-gaps.js'
import { isFirstPublication, publish } from '../publication.js'
import { blankItem, creatorCard, itemWith, originalFields } from './derived-fields.js'
import { affectedRefs, attachItem, detachItem, removeItem, replaceItem } from './update-item.js'

type CreationEvent = Extract<EventName, `creation.${string}`>
type About<N extends CreationEvent> = EventOf<N> & { data: { creationId: string } }

/** The creation an event is about; the engine has made sure that it is not removed. */
export const itemOf = (docs: Docs, id: string): Item => livingState(docs, items, id, blankItem)

/** Known from the event alone, so that they are loaded with the creation and not after it. */
const termsRef = ({ key }: { key: string }) => [ref(terms, key)]

/** Whether an event has this sequence already: the same one, or another, which counts then. */
export const isTaken = ({ gaps }: Item, { sequence }: { sequence: number }, repeated: boolean): boolean =>
  repeated && !mayBeGivenUp(gaps, sequence)

/** A fold that changes the creation itself, and with it what depends on it. */
function itemFold<N extends CreationEvent>(change: (item: Item, event: EventOf<N>) => Item, fanOut?: readonly FanOut<N>[]): Fold<N> {
  return {
    touches: termsRef,
    also(event, docs) {
      const item = itemOf(docs, event.key)
      return affectedRefs(docs, item, change(item, event))
    },
    apply(event, docs, repeated) {
      const item = itemOf(docs, event.key)
      const next = change(item, event)
      // A copy may have claimed the address before.
      const changed = isTaken(item, event, repeated) ? itemWith(item, { slugAt: Math.min(item.slugAt, next.slugAt) }) : next
      replaceItem(docs, item, changed)
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
  apply(event, docs, repeated) {
    const item = itemOf(docs, event.key)
    // A creator who was erased stays erased, and so does what names them.
    if (docs.get(creators, event.data.creatorId)?.removed) return removeItem(docs, item)
    if (isTaken(item, event, repeated)) {
      // A copy may have claimed the address before. And whom it names is an owner, whatever counts.
      const { slugAt, alsoBy, creatorId } = publishedItem(item, event, docs)
      const owners = item.creatorId === null && creatorId !== null ? [...alsoBy, creatorId].sort() : alsoBy
      return replaceItem(docs, item, itemWith(item, { slugAt: Math.min(item.slugAt, slugAt), alsoBy: owners }))
    }
    if (!isFirstPublication(item, event.sequence)) return replaceItem(docs, item, publishedItem(item, event, docs))
    // An earlier publication that came late may name another creator and original: the counts move.
    const before = item.creatorId === null ? item : detachItem(docs, item)
    const next = publishedItem(item, event, docs)
    attachItem(docs, next)
    replaceItem(docs, before, next)
  },
  fanOut: [deletingSweep(likes, (event, docs) => (docs.get(items, event.key)?.removed ? edgesOf(event.key) : null)), showOnRemixes()],
}

/** The publication with the highest sequence sets what is shown, the one with the lowest sets creator and original. */
function publishedItem(item: Item, event: EventOf<'creation.published'>, docs: Docs): Item {
  const { data, time, position, sequence } = event
  const changes = publish(item, event, {
    published: true,
    kind: data.kind,
    slug: data.slug,
    slugAt: position,
    title: data.title,
    description: data.description,
    category: data.category,
    tags: tagKeys(data.tags),
    coverUrl: data.coverUrl,
  })
  const updatedAt = Math.max(item.updatedAt, time)
  const slugAt = claimPosition(item.setAt, 'slugAt', item.slugAt, event)
  if (!isFirstPublication(item, sequence)) return itemWith(item, { slugAt, ...changes, updatedAt })
  const remixOf = data.remixOf === data.creationId ? null : data.remixOf
  return itemWith(item, {
    ...changes,
    updatedAt,
    publishedAt: time,
    creator: creatorCard(docs.get(creators, data.creatorId)),
    remixOf,
    ...originalFields(remixOf === null ? undefined : docs.get(items, remixOf)),
  })
}

const edited = itemFold<'creation.edited'>(
  (item, event) => {
    const { data, time, position, sequence } = event
    return itemWith(item, {
      slugAt: data.slug === undefined ? item.slugAt : claimPosition(item.setAt, 'slugAt', item.slugAt, event),
      ...setFields(item.setAt, sequence, {
        title: data.title,
        description: data.description,
        category: data.category,
        tags: data.tags === undefined ? undefined : tagKeys(data.tags),
        coverUrl: data.coverUrl,
        slug: data.slug,
        slugAt: data.slug === undefined ? undefined : position,
      }),
      updatedAt: Math.max(item.updatedAt, time),
    })
  },
  [showOnRemixes<'creation.edited'>(({ data }) => data.title !== undefined || data.slug !== undefined)],
)

const unpublished = itemFold<'creation.unpublished'>(
  (item, { sequence }) => itemWith(item, setFields(item.setAt, sequence, { published: false })),
  [showOnRemixes()],
)

/** Before the first publication it shows nothing: there is no creator yet. */
const republished = itemFold<'creation.republished'>(
  (item, { sequence }) => itemWith(item, setFields(item.setAt, sequence, { published: true })),
  [showOnRemixes()],
)

const removed: Fold<'creation.removed'> = {
  touches: termsRef,
  also: (event, docs) => {
    const item = itemOf(docs, event.key)
    return affectedRefs(docs, item, itemWith(item, { published: false }))
  },
  apply: (event, docs) => removeItem(docs, itemOf(docs, event.key)),
  fanOut: [deletingSweep(likes, (event) => edgesOf(event.key)), showOnRemixes()],
}

const featured = itemFold<'creation.featured'>((item, { data, sequence }) =>
  itemWith(item, setOwnFields(item.setAt, sequence, { featured: true, spotlight: data.spotlight })),
)
const unfeatured = itemFold<'creation.unfeatured'>((item, { sequence }) =>
  itemWith(item, setOwnFields(item.setAt, sequence, { featured: false, spotlight: false })),
)

export const creationFolds = {
  'creation.published': published,
  'creation.edited': edited,
  'creation.unpublished': unpublished,
  'creation.republished': republished,
  'creation.removed': removed,
  'creation.featured': featured,
  'creation.unfeatured': unfeatured,
}
