import { edgeId, type Tombstone } from '../../readmodels/collection.js'
import { addressOf, type FeedCreator, type ItemDoc } from '../../readmodels/feed/documents.js'
import { type NamesDoc, type TermsDoc, TITLE } from '../../readmodels/feed/search/documents.js'
import type { FollowDoc, Profile } from '../../readmodels/profiles/documents.js'
import type { ScoreDoc } from '../../readmodels/shares/documents.js'
import type { Doc } from '../../src/ports/document-store.js'
import { fnv1a } from './chance.js'
import { coinedWord } from './coined-words.js'

/**
 * How documents of one collection become those of the nth further community like it; the 0th is the folded one itself.
 * `any` gives one of the collection's documents by a number.
 */
export type Copy = (doc: Doc, n: number, any: (chance: number) => Doc) => Doc | null

const again = (id: string, n: number): string => `${id}x${n}`
const orNull = (id: string | null, n: number): string | null => (id === null ? null : again(id, n))
const handleAgain = (handle: string, n: number): string => `${handle}-${n}`

/** By collection. Collections not named here are counted over all communities, or shared by all of them. */
export const COPIES: Record<string, Copy> = {
  items: (doc, n, any) => item(doc as ItemDoc, n, any as (chance: number) => ItemDoc),
  creators: (doc, n) => creator(doc as FeedCreator | Tombstone, n),
  profiles: (doc, n) => creator(doc as Profile | Tombstone, n),
  terms(doc, n) {
    const { _id, terms, ranked, ...rest } = doc as TermsDoc
    const id = again(_id, n)
    const word = coinedWord(id)
    return {
      _id: id,
      terms: [...new Set([...terms, word])].sort(),
      ranked: [...new Set([...ranked, TITLE + word])].sort(),
      ...rest,
    } satisfies TermsDoc
  },
  names(doc, n) {
    const { _id, words, deletions } = doc as NamesDoc
    return { _id: again(_id, n), words: [...words, String(n)], deletions } satisfies NamesDoc
  },
  follows(doc, n) {
    const follow = doc as FollowDoc
    const [followedId, followerId] = [again(follow.followedId, n), again(follow.followerId, n)]
    return { ...follow, _id: edgeId(followedId, followerId), followedId, followerId } satisfies FollowDoc
  },
  scores(doc, n) {
    const score = doc as ScoreDoc
    const [creationId, userId] = [again(score.creationId, n), again(score.userId, n)]
    return { ...score, _id: edgeId(creationId, userId), creationId, userId } satisfies ScoreDoc
  },
}

/** Another title, address and creator, and another one's numbers to sort by: copies must not lie side by side in every order. */
function item(doc: ItemDoc, n: number, any: (chance: number) => ItemDoc): ItemDoc | null {
  if (doc.removed) return null
  const { _id, creator, original, creatorId, slug } = doc
  const id = again(_id, n)
  const chance = fnv1a(id)
  const other = any(chance)
  const numbers = other.removed ? doc : other
  const word = coinedWord(id)
  const owner = orNull(creatorId, n)
  return {
    ...doc,
    _id: id,
    creatorId: owner,
    title: Object.fromEntries(Object.entries(doc.title).map(([locale, text]) => [locale, `${text} ${word}`])),
    publishedAt: numbers.publishedAt - (chance % 86_400_000),
    creator: creator === null ? null : { ...creator, handle: handleAgain(creator.handle, n) },
    remixOf: orNull(doc.remixOf, n),
    original: original === null ? null : { ...original, handle: handleAgain(original.handle, n) },
    likes: numbers.likes + (chance % 7),
    plays: numbers.plays + (chance % 11),
    trending: Math.max(0, numbers.trending - (chance % 257)),
    publicAddress: doc.publicAddress === null || owner === null || slug === null ? null : addressOf(owner, slug),
    publicCreatorId: orNull(doc.publicCreatorId, n),
    publicRemixOf: orNull(doc.publicRemixOf, n),
  }
}

function creator<D extends FeedCreator | Profile | Tombstone>(doc: D, n: number): D | null {
  if (doc.removed) return null
  const { handle, handleKey } = doc
  return {
    ...doc,
    _id: again(doc._id, n),
    handle: handle === null ? null : handleAgain(handle, n),
    handleKey: handleKey === null ? null : handleAgain(handleKey, n),
  }
}
