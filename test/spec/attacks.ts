/** Hostile text in every field that takes text. */
import { defined, featured, followed, liked, published, registered, scored, type Told } from './events.js'

export const ATTACKS = [
  '"><script>window.hacked=1</script>',
  '\'><img src=x onerror="window.hacked=1">',
  '</title></textarea></script><svg onload=window.hacked=1>',
  '{{constructor.constructor("window.hacked=1")()}}',
  '<!--<script>window.hacked=1</script>-->',
  '`$' + '{window.hacked=1}`',
  'javascript:window.hacked=1',
  '\u202egnp.exe <a href="javascript:window.hacked=1">',
]
const ATTACK = ATTACKS.join(' ')
export const LONG = 'W'.repeat(180)

export const hostile = (max: number, extra = ''): string => Array.from(`${ATTACK} ${extra}`).slice(0, max).join('')

/** A community of attackers. */
export const ATTACKERS: readonly Told[] = [
  defined('games', { label: { en: ATTACKS[1] ?? '' }, order: 1, coverUrl: 'https://pictures.invalid/x.svg?a=1&b=%22onerror' }),
  ...['mallory', 'trudy'].map((id, index) =>
    registered(id, {
      displayName: hostile(100),
      bio: hostile(2000, LONG),
      avatarUrl: `https://pictures.invalid/${index}.svg?)};body{display:none}`,
      links: ATTACKS.map((label) => ({ label, url: 'https://links.invalid/?javascript:alert(1)' })),
    }),
  ),
  published('attack', {
    by: 'mallory',
    slug: 'attack',
    category: 'games',
    title: { en: hostile(200) },
    description: { en: hostile(5000, LONG) },
    tags: ATTACKS.map((tag) => tag.slice(0, 64)),
  }),
  published('remix', {
    by: 'trudy',
    slug: 'remix',
    category: 'games',
    title: { en: LONG },
    description: { en: hostile(900) },
    remixOf: 'attack',
  }),
  featured('attack', true),
  featured('remix', true),
  liked('attack', 'trudy'),
  scored('attack', 'trudy', 5),
  scored('attack', 'mallory', 7),
  followed('mallory', 'trudy'),
  followed('trudy', 'mallory'),
]
