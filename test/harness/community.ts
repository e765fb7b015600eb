/** A small community, so that every answer can be worked out by hand. */
import {
  but,
  defined,
  edited,
  featured,
  followed,
  liked,
  minutes,
  played,
  published,
  registered,
  scored,
  type Told,
  unpublished,
} from '../spec/events.js'

const times = (count: number, told: (n: number) => Told): Told[] => Array.from({ length: count }, (_, n) => told(n))

/**
 * Ada has a widget (in three languages, spotlighted), a tracker and something unpublished, Ben a game that is featured, Cleo a remix of it.
 *
 * | creation | likes | plays | remixes | published |
 * | -------- | ----- | ----- | ------- | --------- |
 * | tides    | 1     | 0     | 0       | 1st       |
 * | maze     | 2     | 5     | 1       | 2nd       |
 * | mazetwo  | 3     | 1     | 0       | 3rd       |
 * | plants   | 0     | 2     | 0       | 4th       |
 */
export const COMMUNITY: readonly Told[] = [
  defined('games', { label: { en: 'Games', de: 'Spiele' }, order: 1, coverUrl: 'https://pictures.example/games.svg' }),
  defined('tools', { label: { en: 'Tools' }, order: 2 }),
  but(
    registered('ada', {
      handle: 'Ada-L',
      displayName: 'Ada L.',
      bio: 'Small tools for people near the sea.',
      avatarUrl: 'https://pictures.example/ada.svg',
      links: [{ label: 'Workshop', url: 'https://ada.example/' }],
    }),
    { time: minutes(0) },
  ),
  registered('ben', { displayName: 'Ben' }),
  registered('cleo', { displayName: 'Cleo' }),
  published('tides', {
    by: 'ada',
    slug: 'tide-clock',
    kind: 'widget',
    category: 'tools',
    tags: ['Sea', 'clock'],
    title: { en: 'Tide clock', de: 'Gezeitenuhr', ja: '潮汐時計アプリ' },
    description: { en: 'Shows when the water comes back.', de: 'Zeigt, wann das Wasser zurückkommt.' },
    coverUrl: 'https://pictures.example/tides.svg',
  }),
  published('maze', {
    by: 'ben',
    slug: 'Garden.Maze',
    kind: 'game',
    category: 'games',
    tags: ['puzzle', 'garden'],
    title: { en: 'Garden maze' },
    description: { en: 'Find the way out of Ángela’s hedges.' },
  }),
  published('mazetwo', {
    by: 'cleo',
    slug: 'winter-maze',
    kind: 'game',
    category: 'games',
    tags: ['puzzle'],
    title: { en: 'Winter maze' },
    description: { en: 'The same garden under snow.' },
    remixOf: 'maze',
  }),
  published('plants', {
    by: 'ada',
    slug: 'plant-diary',
    kind: 'tracker',
    category: 'tools',
    tags: ['garden', 'sea'],
    title: { fr: 'Journal des plantes', es: 'Diario de plantas' },
    description: { fr: 'Arrosées ?', es: '¿Regadas?' },
  }),
  published('draft', { by: 'ada', slug: 'draft', title: { en: 'Garden draft' }, tags: ['garden', 'secret'] }),
  unpublished('draft'),
  featured('maze'),
  featured('tides', true),
  liked('tides', 'ben'),
  ...['ada', 'cleo'].map((user) => liked('maze', user)),
  ...['ada', 'ben', 'nobody'].map((user) => liked('mazetwo', user)),
  ...times(5, () => played('maze')),
  ...times(2, () => played('plants')),
  played('mazetwo'),
  scored('maze', 'ada', 700),
  scored('maze', 'nobody', 900),
  scored('maze', 'cleo', 700),
  scored('mazetwo', 'ada', 12.5),
  scored('draft', 'ada', 9999),
  followed('ada', 'ben'),
  followed('ada', 'cleo'),
  followed('ada', 'nobody'),
  followed('ben', 'ada'),
  edited('tides', { category: 'tools' }),
]

/** Creations in a feed of some length: `n` public ones of one creator, a minute apart, the first the oldest. */
export const manyCreations = (n: number): Told[] => [
  registered('ada'),
  ...times(n, (i) =>
    published(`c${String(i).padStart(3, '0')}`, { by: 'ada', tags: [i % 2 === 0 ? 'even' : 'odd'], title: { en: `Piece ${i}` } }),
  ),
]
