import type { DraftEvent } from './arbitrary-events.js'

/**
 * A creator with so many creations, fans, follows and scores that each fan-out over them takes several commits,
 * followed by the events that cause one: a new name, a new handle, or the erasure of the creator or of a fan.
 */
export function largeFanOut(size: number, ending: readonly DraftEvent[]): DraftEvent[] {
  const story: DraftEvent[] = [registered('star'), registered('fan'), registered('other')]
  for (let i = 0; i < size; i++) {
    story.push(
      published(`c${i}`, 'star', null),
      creation(`c${i}`, 'liked.v1', { userId: 'fan' }),
      creation(`c${i}`, 'scored.v1', { userId: 'fan', score: i % 7 }),
      creation('c0', 'liked.v1', { userId: `u${i}` }),
      creation('c0', 'scored.v1', { userId: `u${i}`, score: i % 5 }),
      creator('star', 'followed', { followerId: `u${i}` }),
      creator(`u${i}`, 'followed', { followerId: 'star' }),
      published(`r${i}`, 'other', i % 2 === 0 ? 'c0' : `c${i}`),
    )
  }
  return [...story, ...ending]
}

export const renamed: DraftEvent[] = [
  creator('star', 'profile_changed', { displayName: 'Star!' }),
  creator('star', 'handle_changed', { handle: 'superstar' }),
  creation('c0', 'edited.v2', { title: { en: 'The first one' } }),
  creation('c0', 'unpublished.v1', {}),
]

export const erased = (creatorId: string): DraftEvent[] => [creator(creatorId, 'removed', {})]
export const takenDown: DraftEvent[] = [creation('c0', 'removed.v1', {})]

function registered(creatorId: string): DraftEvent {
  return creator(creatorId, 'registered', { handle: creatorId, displayName: creatorId })
}

function published(creationId: string, creatorId: string, remixOf: string | null): DraftEvent {
  const listing = { slug: creationId, kind: 'game', title: 'Game', description: '', category: 'games', tags: ['fun'] }
  return creation(creationId, 'published.v1', { creatorId, remixOf, ...listing })
}

function creator(creatorId: string, what: string, data: object): DraftEvent {
  return { type: `creator.${what}.v1`, subject: `creator/${creatorId}`, data: { creatorId, ...data }, hour: 1, gap: false }
}

function creation(creationId: string, what: string, data: object): DraftEvent {
  return { type: `creation.${what}`, subject: `creation/${creationId}`, data: { creationId, ...data }, hour: 1, gap: false }
}
