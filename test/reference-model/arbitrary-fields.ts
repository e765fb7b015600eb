import fc from 'fast-check'

/** Few ids, so that things collide; some begin with others, so that a careless prefix is found out. */
export const PEOPLE = ['u1', 'u10', 'u2', 'U_3', 'u-4']
export const CREATIONS = ['c1', 'c10', 'c2', 'C_3', 'c-4', 'c5']
export const HANDLES = ['ann', 'Ann', 'bob', 'cleo-1']
export const SLUGS = ['one', 'One', 'two', 'two.1']
export const CATEGORIES = ['games', 'home-life']
export const TAGS = ['Fun', '#fun', 'habit tracking', 'Habit_Tracking', 'a|b', 'Äpfel', '日本', ' # ']
export const LOCALES = ['en', 'en-GB', 'es', 'de-AT', 'ja']
const TEXTS = ['Red Apples', 'red apple pie', 'Apple berries', 'Café noir', 'りんごのゲーム', 'Bus timetable', 'noir']

export const handle = fc.constantFrom(...HANDLES)
const slug = fc.constantFrom(...SLUGS)
export const category = fc.constantFrom(...CATEGORIES)
const tags = fc.array(fc.constantFrom(...TAGS), { maxLength: 3 })
export const plain = fc.constantFrom(...TEXTS)
export const picture = fc.option(fc.constantFrom('https://img.example/1.png', 'https://img.example/2.png'))
export const kind = fc.constantFrom('app', 'game', 'tracker', 'widget', 'experience')

export const localized = fc.dictionary(fc.constantFrom(...LOCALES), plain, { minKeys: 1, maxKeys: 3 })

export const profile = {
  displayName: fc.constantFrom('Ann', 'Bob', 'Cleo'),
  bio: fc.constantFrom('', 'hello'),
  avatarUrl: picture,
  links: fc.array(fc.record({ label: fc.constant('me'), url: fc.constant('https://me.example/') }), { maxLength: 1 }),
}

export const listing = { slug, category, tags, coverUrl: picture }
