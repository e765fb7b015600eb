/** Tags and how many public creations carry each: exact, and never negative. */
import { tombstone } from '../../readmodels/collection.js'
import { TAG_TOTAL, type Tagged, tagCreators, tagged, tags, tagTotal } from '../../readmodels/tags/documents.js'
import { tagKeys, tagLabel } from '../../readmodels/tags/tag-key.js'
import {
  type Docs,
  type FanOut,
  type Fold,
  livingState,
  projection,
  type Ref,
  ref,
  stateIn,
  sweep,
} from '../../src/engine/definition/projection.js'
import type { EventName, EventOf } from '../../src/events/index.js'
import { setFields } from '../../src/lib/field-versions.js'
import { isFirstPublication, NOT_PUBLISHED, publish } from '../publication.js'

const blankTagged = (id: string): Tagged => ({
  _id: id,
  seq: 0,
  removed: false,
  ...NOT_PUBLISHED,
  published: false,
  creatorRegistered: false,
  tags: [],
})

const blankCreator = (id: string) => ({ _id: id, seq: 0, removed: false as const, registered: false })

const taggedOf = (docs: Docs, id: string): Tagged => livingState(docs, tagged, id, blankTagged)

const shownTags = (doc: Tagged): readonly string[] => (doc.published && doc.creatorRegistered ? doc.tags : [])

const tagRefs = (...docs: Tagged[]): Ref[] => [ref(tagTotal, TAG_TOTAL), ...docs.flatMap((doc) => doc.tags.map((key) => ref(tags, key)))]

function replaceTagged(docs: Docs, before: Tagged, after: Tagged): void {
  docs.put(tagged, after)
  recount(docs, shownTags(before), shownTags(after))
}

function removeTagged(docs: Docs, doc: Tagged): void {
  recount(docs, shownTags(doc), [])
  docs.put(tagged, tombstone(doc._id, doc.seq))
}

function recount(docs: Docs, before: readonly string[], after: readonly string[]): void {
  const left = new Set(before)
  for (const key of after) if (!left.delete(key)) addToTagCount(docs, key, 1)
  for (const key of left) addToTagCount(docs, key, -1)
}

function addToTagCount(docs: Docs, key: string, change: number): void {
  const before = docs.get(tags, key)?.count ?? 0
  const count = before + change
  if (count === 0) docs.delete(tags, key)
  else docs.put(tags, { _id: key, label: tagLabel(key), count, rank: -count })
  const appeared = (count > 0 ? 1 : 0) - (before > 0 ? 1 : 0)
  if (appeared === 0) return
  const total = (docs.get(tagTotal, TAG_TOTAL)?.count ?? 0) + appeared
  if (total === 0) docs.delete(tagTotal, TAG_TOTAL)
  else docs.put(tagTotal, { _id: TAG_TOTAL, count: total })
}

type CreationEvent = Extract<EventName, `creation.${string}`>

function taggedFold<N extends CreationEvent>(change: (doc: Tagged, event: EventOf<N>) => Tagged): Fold<N> {
  return {
    also(event, docs) {
      const doc = taggedOf(docs, event.key)
      return tagRefs(doc, change(doc, event))
    },
    apply(event, docs) {
      const doc = taggedOf(docs, event.key)
      replaceTagged(docs, doc, change(doc, event))
    },
  }
}

const published: Fold<'creation.published'> = {
  touches: ({ data }) => [ref(tagCreators, data.creatorId)],
  also: (event, docs) => tagRefs(taggedOf(docs, event.key), { ...blankTagged(event.key), tags: tagKeys(event.data.tags) }),
  apply(event, docs) {
    const doc = taggedOf(docs, event.key)
    const creator = docs.get(tagCreators, event.data.creatorId)
    // A creator who was erased stays erased, and so does what names them.
    if (creator?.removed) return removeTagged(docs, doc)
    const next = publish(doc, event, { published: true, tags: tagKeys(event.data.tags) })
    const creatorRegistered = isFirstPublication(doc, event.sequence) ? creator?.registered === true : doc.creatorRegistered
    replaceTagged(docs, doc, { ...doc, ...next, creatorRegistered })
  },
}

const removed: Fold<'creation.removed'> = {
  also: (event, docs) => tagRefs(taggedOf(docs, event.key)),
  apply: (event, docs) => removeTagged(docs, taggedOf(docs, event.key)),
}

function onCreationsOfCreator<N extends EventName>(change: (doc: Tagged, docs: Docs) => void): FanOut<N> {
  return sweep(tagged, {
    where: (event) => ({ index: 'byCreator', equals: [event.key] }),
    also: (_event, doc) => (doc.removed ? [] : tagRefs(doc)),
    each: (_event, doc, docs) => {
      if (!doc.removed) change(doc, docs)
    },
  })
}

const creatorRegistered: Fold<'creator.registered'> = {
  apply({ key, sequence }, docs) {
    docs.put(tagCreators, { ...blankCreator(key), seq: sequence, registered: true })
  },
  fanOut: [onCreationsOfCreator((doc, docs) => replaceTagged(docs, doc, { ...doc, creatorRegistered: true }))],
}

const creatorRemoved: Fold<'creator.removed'> = {
  apply({ key, sequence }, docs) {
    docs.put(tagCreators, tombstone(key, sequence))
  },
  fanOut: [removeTaggedOf('byCreator'), removeTaggedOf('byOtherCreator')],
}

function removeTaggedOf(index: 'byCreator' | 'byOtherCreator'): FanOut<'creator.removed'> {
  return sweep(tagged, {
    where: (event) => ({ index, equals: [event.key] }),
    also: (_event, doc) => (doc.removed ? [] : tagRefs(doc)),
    each: (_event, doc, docs) => {
      if (!doc.removed) removeTagged(docs, doc)
    },
  })
}

export const tagsProjection = projection({
  name: 'tags',
  version: 3,
  orderFree: true,
  collections: [tagged, tagCreators, tags, tagTotal],
  state: { creation: stateIn(tagged, blankTagged), creator: stateIn(tagCreators, blankCreator) },
  on: {
    'creation.published': published,
    'creation.edited': taggedFold((doc, { data: { tags }, sequence }) => ({
      ...doc,
      ...setFields(doc.setAt, sequence, { tags: tags === undefined ? undefined : tagKeys(tags) }),
    })),
    'creation.unpublished': taggedFold((doc, { sequence }) => ({ ...doc, ...setFields(doc.setAt, sequence, { published: false }) })),
    'creation.republished': taggedFold((doc, { sequence }) => ({ ...doc, ...setFields(doc.setAt, sequence, { published: true }) })),
    'creation.removed': removed,
    'creator.registered': creatorRegistered,
    'creator.removed': creatorRemoved,
  },
})
