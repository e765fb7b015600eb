import type { Creation } from '../../../readmodels/feed/creation.js'
import type { CreatorProfile } from '../../../readmodels/profiles/public-reads.js'
import type { Result } from '../response.js'
import type { Passage } from '../retrieve/documentation.js'

const SCHEMA_ORG_TYPES = {
  app: 'MobileApplication',
  game: 'VideoGame',
  tracker: 'MobileApplication',
  widget: 'MobileApplication',
  experience: 'CreativeWork',
}

const counter = (type: string, count: number) => ({
  '@type': 'InteractionCounter',
  interactionType: `https://schema.org/${type}`,
  userInteractionCount: count,
})

export const creationResult = ({ title, url, coverUrl, creator, stats, ...creation }: Creation): Result => ({
  '@context': 'https://schema.org',
  '@type': SCHEMA_ORG_TYPES[creation.kind],
  name: title,
  url,
  description: creation.description,
  ...(coverUrl === null ? {} : { image: coverUrl }),
  keywords: creation.tags,
  author: { '@type': 'Person', name: creator.displayName, alternateName: `@${creator.handle}` },
  datePublished: creation.publishedAt,
  dateModified: creation.updatedAt,
  interactionStatistic: [counter('LikeAction', stats.likes), counter('PlayAction', stats.plays)],
})

export const creatorResult = ({ displayName, handle, url, bio, avatarUrl, stats }: CreatorProfile): Result => ({
  '@context': 'https://schema.org',
  '@type': 'Person',
  name: displayName,
  alternateName: `@${handle}`,
  url,
  description: bio,
  ...(avatarUrl === null ? {} : { image: avatarUrl }),
  interactionStatistic: [counter('FollowAction', stats.followers)],
})

/** A tag or a category, with the address of its list. */
export const termResult = (name: string, url: string): Result => ({ '@context': 'https://schema.org', '@type': 'DefinedTerm', name, url })

export const passageResult = ({ title, url, text, language }: Passage): Result => ({
  '@context': 'https://schema.org',
  '@type': 'WebPage',
  name: title,
  url,
  description: text,
  inLanguage: language,
})
