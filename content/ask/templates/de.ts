import type { AnswerTemplates, ListScope } from '../../../src/ask/answer/templates.js'
import { dayOf, numberFormat } from '../../../src/ask/languages.js'
import type { Kind } from '../../../src/events/index.js'

const n = numberFormat('de')
const KINDS: Record<Kind, string> = { app: 'Apps', game: 'Spiele', tracker: 'Tracker', widget: 'Widgets', experience: 'Erlebnisse' }
const ONE: Record<Kind, string> = {
  app: 'eine App',
  game: 'ein Spiel',
  tracker: 'ein Tracker',
  widget: 'ein Widget',
  experience: 'ein Erlebnis',
}
const SORTS = {
  relevance: 'Am besten passend',
  trending: 'Im Trend',
  recent: 'Neu',
  popular: 'Am meisten gespielt',
  remixed: 'Am häufigsten abgewandelt',
  liked: 'Am beliebtesten',
}

const counted = (count: number, one: string, many: string) => `${n(count)} ${count === 1 ? one : many}`

function scoped({ kind, category, tag, q, featured, remixed, creator }: ListScope): string {
  const what = remixed ? (kind === null ? 'Remixe' : `Remixe (${KINDS[kind]})`) : kind === null ? 'Kreationen' : KINDS[kind]
  return [
    featured ? 'empfohlene ' : '',
    what,
    category === null ? '' : ` in ${category}`,
    tag === null ? '' : ` mit dem Tag „${tag}“`,
    q === null ? '' : ` zu „${q}“`,
    creator === null ? '' : ` von @${creator}`,
  ].join('')
}

export const de: AnswerTemplates = {
  heading: (sort, scope) => `${SORTS[sort]}, ${scoped(scope)}`,
  count: (total, scope) => `Öffentlich gibt es ${n(total)} ${scoped(scope)}.`,
  entry: ({ title, creator, stats, publishedAt }, sort) => `${title} von ${creator.displayName} (${measure(stats, publishedAt)[sort]})`,
  match: ({ title, creator }, found) => `${title} von ${creator.displayName}${found.length === 0 ? '' : ` (${de.found(found)})`}`,
  found: (words) => `passt zu: ${words.join(', ')}`,
  line: ({ title, creator, kind, stats, publishedAt }) =>
    `${title} von ${creator.displayName} (@${creator.handle}), ${ONE[kind]}: ${de.stats(stats)}, veröffentlicht am ${dayOf(publishedAt)}`,
  person: ({ displayName, handle }) => `${displayName} (@${handle})`,
  joined: (person, day) => `${de.person(person)} ist hier seit ${day} dabei.`,
  totals: ({ apps, likes, remixes, plays, followers, following }) =>
    `${counted(apps, 'öffentliche Kreation', 'öffentliche Kreationen')} mit ${counted(likes, 'Like', 'Likes')}, ${counted(remixes, 'Remix', 'Remixen')} und ${counted(plays, 'Spielvorgang', 'Spielvorgängen')}; ${n(followers)} Follower, folgt ${n(following)}.`,
  made: (person, apps) => `${de.person(person)} hat ${counted(apps, 'öffentliche Kreation', 'öffentliche Kreationen')} gemacht`,
  nothingMade: (person) => `${de.person(person)} hat keine öffentlichen Kreationen.`,
  followers: (person, total) => `${de.person(person)} hat ${n(total)} Follower`,
  following: (person, total) => `${de.person(person)} folgt ${counted(total, 'Person', 'Personen')}`,
  creation: ({ title, kind, creator }, category) => `${title} ist ${ONE[kind]} von ${de.person(creator)} in ${category}.`,
  stats: ({ likes, remixes, plays }) =>
    `${counted(likes, 'Like', 'Likes')}, ${counted(remixes, 'Remix', 'Remixe')}, ${counted(plays, 'Spielvorgang', 'Spielvorgänge')}`,
  published: (day) => `Veröffentlicht am ${day}.`,
  remixOf: (title, handle) => `Es ist ein Remix von ${title} von @${handle}.`,
  remixes: (title, total) => `${title} hat ${counted(total, 'öffentlichen Remix', 'öffentliche Remixe')}`,
  leaderboard: (title) => `Bestenliste von ${title}`,
  noScores: (title) => `In ${title} hat noch niemand Punkte.`,
  score: (name, score) => `${name ?? 'jemand'} mit ${score}`,
  tags: (total) => `${counted(total, 'Tag ist', 'Tags sind')} in Gebrauch`,
  tagLine: (label, count) => `${label} (${n(count)})`,
  categories: (total) => `Es gibt ${counted(total, 'Kategorie', 'Kategorien')}`,
  categoryLine: (label, count) => `${label} (${n(count)})`,
}

const measure = (stats: { likes: number; remixes: number; plays: number }, publishedAt: string) => ({
  trending: counted(stats.likes, 'Like', 'Likes'),
  liked: counted(stats.likes, 'Like', 'Likes'),
  popular: counted(stats.plays, 'Spielvorgang', 'Spielvorgänge'),
  remixed: counted(stats.remixes, 'Remix', 'Remixe'),
  recent: dayOf(publishedAt),
})
