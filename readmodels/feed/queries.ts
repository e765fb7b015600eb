import { handleKey } from '../../src/events/index.js'
import type { Reads } from '../../src/ports/document-store.js'
import {
  addressOf,
  counters,
  creatorCards,
  creators,
  type FeedCreator,
  type FeedCreatorCard,
  type Item,
  type ItemDoc,
  type ItemSummary,
  itemSummaries,
  items,
  SORT_FIELDS,
  type Sort,
} from './documents.js'
import { type Filter, facetOf } from './facets.js'

/** Where a page ended: the sort value and the id of its last creation. */
export interface PageKey {
  value: number
  id: string
}

export interface PageRequest {
  filter: Filter
  sort: Sort
  limit: number
  after: PageKey | null
}

export interface Page {
  items: Item[]
  hasMore: boolean
  total: number
}

export const pageKeyOf = (item: Item, sort: Sort): PageKey => ({ value: item[SORT_FIELDS[sort]], id: item._id })

/** Sorts like the index of a sort, for items that were not read through it. */
export const compareBy = (sort: Sort) => (a: Item, b: Item) => b[SORT_FIELDS[sort]] - a[SORT_FIELDS[sort]] || (a._id < b._id ? 1 : -1)

/** A page without search text: one counter, one range of one index. */
export async function feedPage(reads: Reads, { filter, sort, limit, after }: PageRequest): Promise<Page> {
  const facet = facetOf(filter)
  // In parallel: one round trip instead of two.
  const [[counter], found] = await Promise.all([
    reads.get(counters, [facet]),
    reads.range(items, { index: sort, equals: [facet], limit: limit + 1, ...startingAfter(after) }),
  ])
  return { items: withoutTombstones(found.slice(0, limit)), hasMore: found.length > limit, total: counter?.count ?? 0 }
}

export const startingAfter = (after: PageKey | null) => (after === null ? {} : { after: [after.value, after.id] })

export function withoutTombstones(docs: readonly (ItemDoc | undefined)[]): Item[] {
  return docs.filter((doc): doc is Item => doc !== undefined && !doc.removed)
}

/** The creator with the newest claim to the handle. */
export async function creatorByHandle(reads: Reads, handle: string): Promise<FeedCreatorCard | null> {
  const [creator] = await reads.range(creatorCards, { index: 'byHandle', equals: [handleKey(handle)], limit: 1 })
  return creator === undefined || creator.removed ? null : creator
}

export async function itemByAddress(reads: Reads, handle: string, slug: string): Promise<Item | null> {
  const creator = await creatorByHandle(reads, handle)
  if (creator === null) return null
  const found = await reads.range(items, { index: 'byAddress', equals: [addressOf(creator._id, slug)], limit: 1 })
  return withoutTombstones(found)[0] ?? null
}

export async function itemsOfCreator(reads: Reads, creatorId: string, limit: number): Promise<Item[]> {
  return withoutTombstones(await reads.range(items, { index: 'ofCreator', equals: [creatorId], limit }))
}

export async function remixesOf(reads: Reads, creationId: string, limit: number): Promise<Item[]> {
  return withoutTombstones(await reads.range(items, { index: 'remixesOf', equals: [creationId], limit }))
}

export async function publicSummaries(reads: Reads, ids: readonly string[]): Promise<Map<string, ItemSummary>> {
  const found = await reads.get(itemSummaries, ids)
  return new Map(found.flatMap((item) => (item === undefined || item.removed || item.publicAddress === null ? [] : [[item._id, item]])))
}

export async function cardsOf(reads: Reads, ids: readonly string[]): Promise<Map<string, FeedCreatorCard>> {
  const found = await reads.get(creatorCards, ids)
  return new Map(
    found.flatMap((creator) => (creator === undefined || creator.removed || !creator.registered ? [] : [[creator._id, creator]])),
  )
}

export async function totalsOf(reads: Reads, creatorId: string): Promise<Pick<FeedCreator, 'apps' | 'likes' | 'remixes' | 'plays'>> {
  const [creator] = await reads.get(creators, [creatorId])
  return creator === undefined || creator.removed ? { apps: 0, likes: 0, remixes: 0, plays: 0 } : creator
}
