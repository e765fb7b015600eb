import type { FeedCreator } from '../../readmodels/feed/documents.js'

/** A creator of whom only the id is known. */
export const blankFeedCreator = (id: string): FeedCreator => creatorWith(BLANK, { _id: id })

const BLANK: FeedCreator = {
  _id: '',
  seq: 0,
  removed: false,
  registered: false,
  handle: null,
  handleKey: null,
  handleAt: 0,
  displayName: '',
  avatarUrl: null,
  creations: 0,
  apps: 0,
  likes: 0,
  plays: 0,
  remixes: 0,
}

/** Written out for the same reason as `copyOfItem`. */
export const copyOfCreator = (creator: FeedCreator): FeedCreator => ({
  _id: creator._id,
  seq: creator.seq,
  removed: creator.removed,
  registered: creator.registered,
  handle: creator.handle,
  handleKey: creator.handleKey,
  handleAt: creator.handleAt,
  displayName: creator.displayName,
  avatarUrl: creator.avatarUrl,
  creations: creator.creations,
  apps: creator.apps,
  likes: creator.likes,
  plays: creator.plays,
  remixes: creator.remixes,
})

export const creatorWith = (creator: FeedCreator, changes: Partial<FeedCreator>): FeedCreator =>
  Object.assign(copyOfCreator(creator), changes)
