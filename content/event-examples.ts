import type { z } from 'zod'
import { type catalogue, EVENT_NAMES, type EventName, versionedType } from '../src/events/catalogue.js'
import type { editedV1, publishedV1 } from '../src/events/creation.js'

/** An example of `data` for one type and version, such as `creation.published.v1`. */
export function exampleOf(type: string): Record<string, unknown> {
  const example = examples.get(type)
  if (example === undefined) throw new Error(`${type} has no example yet: add one to content/event-examples.ts`)
  return example
}

type Newest = { [N in EventName]: z.input<(typeof catalogue)[N]['schema']> }

/** The story of one creator and one widget, with every type in its newest version. */
const newestExamples: Newest = {
  'creator.registered': {
    creatorId: 'u_17',
    handle: 'marisol',
    displayName: 'Marisol Vega',
    bio: 'Small tools for people near the sea.',
    avatarUrl: 'https://cdn.vitrine.example/avatars/u_17.png',
    links: [{ label: 'Workshop', url: 'https://marisol.example/' }],
  },
  'creator.profile_changed': { creatorId: 'u_17', bio: 'Small tools for people who live by the tide.', avatarUrl: null },
  'creator.handle_changed': { creatorId: 'u_17', handle: 'marisol-vega' },
  'creator.followed': { creatorId: 'u_17', followerId: 'u_42' },
  'creator.unfollowed': { creatorId: 'u_17', followerId: 'u_42' },
  'creator.removed': { creatorId: 'u_17' },
  'creation.published': {
    creationId: 'c_81',
    creatorId: 'u_17',
    slug: 'tide-clock',
    kind: 'widget',
    title: { en: 'Tide clock', es: 'Reloj de mareas' },
    description: {
      en: 'Shows when the water comes back, for the harbour you choose.',
      es: 'Muestra cuándo vuelve el agua al puerto que elijas.',
    },
    category: 'outdoors',
    tags: ['sea', 'clock'],
    coverUrl: 'https://cdn.vitrine.example/covers/c_81.svg',
    remixOf: null,
  },
  'creation.edited': { creationId: 'c_81', title: { en: 'Tide clock', de: 'Gezeitenuhr' }, tags: ['sea', 'clock', 'harbour'] },
  'creation.unpublished': { creationId: 'c_81', reason: 'The harbour data were out of date.' },
  'creation.republished': { creationId: 'c_81' },
  'creation.removed': { creationId: 'c_81', reason: 'Removed by its creator.' },
  'creation.featured': { creationId: 'c_81', spotlight: true },
  'creation.unfeatured': { creationId: 'c_81' },
  'creation.liked': { creationId: 'c_81', userId: 'u_42' },
  'creation.unliked': { creationId: 'c_81', userId: 'u_42' },
  'creation.played': { creationId: 'c_81', userId: 'u_42', seconds: 95 },
  'creation.scored': { creationId: 'c_90', userId: 'u_42', score: 9120 },
  'category.defined': {
    slug: 'outdoors',
    label: { en: 'Outdoors', es: 'Aire libre', de: 'Draußen', ja: 'アウトドア' },
    order: 3,
    coverUrl: 'https://cdn.vitrine.example/categories/outdoors.svg',
  },
}

interface Older {
  'creation.published.v1': z.input<typeof publishedV1>
  'creation.edited.v1': z.input<typeof editedV1>
}

/** Examples of older versions that are still accepted, by their full type. */
const olderExamples: Older = {
  'creation.published.v1': {
    creationId: 'c_12',
    creatorId: 'u_17',
    slug: 'rain-diary',
    kind: 'tracker',
    title: 'Rain diary',
    description: 'Notes how wet each day was.',
    category: 'outdoors',
    tags: ['weather'],
  },
  'creation.edited.v1': { creationId: 'c_12', title: 'Rain and snow diary' },
}

const examples = new Map<string, Record<string, unknown>>([
  ...EVENT_NAMES.map((name) => [versionedType(name), newestExamples[name]] as const),
  ...Object.entries(olderExamples),
])
