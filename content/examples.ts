/** One small community for the examples of all operations, so that they agree. */
const creation = {
  id: 'c_81',
  slug: 'tide-clock',
  url: 'https://marisol.vitrine.example/tide-clock',
  kind: 'widget',
  title: 'Tide clock',
  description: 'Shows when the water comes back, for the harbour you choose.',
  category: 'outdoors',
  tags: ['sea', 'clock'],
  coverUrl: 'https://vitrine.example/covers/tide-clock.svg',
  featured: true,
  creator: { handle: 'marisol', displayName: 'Marisol Vega', avatarUrl: null },
  stats: { likes: 212, remixes: 3, plays: 1840 },
  remixOf: null,
  publishedAt: '2026-03-02T09:15:00.000Z',
  updatedAt: '2026-03-09T18:40:00.000Z',
}

export const feedExample = {
  input: { sort: 'trending', tag: 'sea', limit: 1 },
  output: {
    items: [creation],
    hasMore: false,
    total: 1,
    next_cursor: null,
    creators: [],
    pagination: { limit: 1, sort: 'trending', returned: 1, next_cursor: null, has_more: false },
  },
}

export const tagsExample = {
  input: {},
  output: {
    items: [
      { key: 'habits', label: 'habits', count: 311 },
      { key: 'board-games', label: 'board games', count: 87 },
    ],
    total: 2,
  },
}

export const landingExample = {
  input: { locale: 'en' },
  output: {
    spotlight: [creation],
    rails: [{ key: 'trending', title: 'Trending now', items: [creation] }],
    categories: [{ slug: 'outdoors', label: 'Outdoors', count: 1, coverUrl: null }],
  },
}

export const profileExample = {
  input: { handle: 'marisol' },
  output: {
    handle: 'marisol',
    displayName: 'Marisol Vega',
    bio: 'Small tools for people near the sea.',
    avatarUrl: null,
    url: 'https://marisol.vitrine.example/',
    links: [{ label: 'Workshop', url: 'https://marisol.example/' }],
    joinedAt: '2025-06-01T12:00:00.000Z',
    stats: { apps: 1, likes: 212, remixes: 3, plays: 1840, followers: 58, following: 12 },
    apps: [creation],
    topScores: [{ handle: 'jonas', slug: 'bubble-sort', title: 'Bubble sort', score: 9120, achievedAt: '2026-02-11T20:05:00.000Z' }],
  },
}

export const followsExample = {
  input: { handle: 'marisol', limit: 1 },
  output: {
    items: [
      {
        handle: 'jonas',
        displayName: 'Jonas Feld',
        avatarUrl: null,
        url: 'https://jonas.vitrine.example/',
        since: '2026-01-20T08:00:00.000Z',
      },
    ],
    total: 58,
    limit: 1,
  },
}

export const shareExample = {
  input: { handle: 'marisol', slug: 'tide-clock' },
  output: {
    ...creation,
    remixes: [],
    leaderboard: [],
    share: {
      title: 'Tide clock · Marisol Vega',
      description: creation.description,
      imageUrl: creation.coverUrl,
      url: creation.url,
    },
  },
}
