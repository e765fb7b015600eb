import type { AnswerTemplates, ListScope } from '../../../src/ask/answer/templates.js'
import { dayOf, numberFormat } from '../../../src/ask/languages.js'
import type { Kind } from '../../../src/events/index.js'

const n = numberFormat('en')
const KINDS: Record<Kind, string> = { app: 'apps', game: 'games', tracker: 'trackers', widget: 'widgets', experience: 'experiences' }
const ONE: Record<Kind, string> = { app: 'an app', game: 'a game', tracker: 'a tracker', widget: 'a widget', experience: 'an experience' }
const SORTS = {
  relevance: 'Best fitting',
  trending: 'Trending',
  recent: 'Newest',
  popular: 'Most played',
  remixed: 'Most remixed',
  liked: 'Most liked',
}

const counted = (count: number, one: string, many = `${one}s`) => `${n(count)} ${count === 1 ? one : many}`

function scoped({ kind, category, tag, q, featured, remixed, creator }: ListScope): string {
  const what = remixed ? (kind === null ? 'remixes' : `remixed ${KINDS[kind]}`) : kind === null ? 'creations' : KINDS[kind]
  return [
    featured ? 'featured ' : '',
    what,
    category === null ? '' : ` in ${category}`,
    tag === null ? '' : ` tagged “${tag}”`,
    q === null ? '' : ` about “${q}”`,
    creator === null ? '' : ` by @${creator}`,
  ].join('')
}

export const en: AnswerTemplates = {
  heading: (sort, scope) => `${SORTS[sort]} ${scoped(scope)}`,
  count: (total, scope) => (total === 1 ? `There is 1 match: public ${scoped(scope)}.` : `There are ${n(total)} public ${scoped(scope)}.`),
  entry: ({ title, creator, stats, publishedAt }, sort) => `${title} by ${creator.displayName} (${measure(stats, publishedAt)[sort]})`,
  match: ({ title, creator }, found) => `${title} by ${creator.displayName}${found.length === 0 ? '' : ` (${en.found(found)})`}`,
  found: (words) => `matches: ${words.join(', ')}`,
  line: ({ title, creator, kind, stats, publishedAt }) =>
    `${title} by ${creator.displayName} (@${creator.handle}), ${ONE[kind]}: ${en.stats(stats)}, published ${dayOf(publishedAt)}`,
  person: ({ displayName, handle }) => `${displayName} (@${handle})`,
  joined: (person, day) => `${en.person(person)} is a creator here since ${day}.`,
  totals: ({ apps, likes, remixes, plays, followers, following }) =>
    `${counted(apps, 'public creation')} with ${counted(likes, 'like')}, ${counted(remixes, 'remix', 'remixes')} and ${counted(plays, 'play')}; ${counted(followers, 'follower')}, following ${n(following)}.`,
  made: (person, apps) => `${en.person(person)} has made ${counted(apps, 'public creation')}`,
  nothingMade: (person) => `${en.person(person)} has no public creations.`,
  followers: (person, total) => `${en.person(person)} has ${counted(total, 'follower')}`,
  following: (person, total) => `${en.person(person)} follows ${counted(total, 'creator')}`,
  creation: ({ title, kind, creator }, category) => `${title} is ${ONE[kind]} by ${en.person(creator)} in ${category}.`,
  stats: ({ likes, remixes, plays }) => `${counted(likes, 'like')}, ${counted(remixes, 'remix', 'remixes')}, ${counted(plays, 'play')}`,
  published: (day) => `Published ${day}.`,
  remixOf: (title, handle) => `It is a remix of ${title} by @${handle}.`,
  remixes: (title, total) => `${title} has ${counted(total, 'public remix', 'public remixes')}`,
  leaderboard: (title) => `Best scores in ${title}`,
  noScores: (title) => `Nobody has a score in ${title} yet.`,
  score: (name, score) => `${name ?? 'somebody'} with ${score}`,
  tags: (total) => `${counted(total, 'tag')} are in use`,
  tagLine: (label, count) => `${label} (${n(count)})`,
  categories: (total) => `There are ${counted(total, 'category', 'categories')}`,
  categoryLine: (label, count) => `${label} (${n(count)})`,
}

const measure = (stats: { likes: number; remixes: number; plays: number }, publishedAt: string) => ({
  trending: counted(stats.likes, 'like'),
  liked: counted(stats.likes, 'like'),
  popular: counted(stats.plays, 'play'),
  remixed: counted(stats.remixes, 'remix', 'remixes'),
  recent: dayOf(publishedAt),
})
