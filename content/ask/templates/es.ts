import type { AnswerTemplates, ListScope } from '../../../src/ask/answer/templates.js'
import { dayOf, numberFormat } from '../../../src/ask/languages.js'
import type { Kind } from '../../../src/events/index.js'

const n = numberFormat('es')
const KINDS: Record<Kind, string> = { app: 'apps', game: 'juegos', tracker: 'trackers', widget: 'widgets', experience: 'experiencias' }
const ONE: Record<Kind, string> = {
  app: 'una app',
  game: 'un juego',
  tracker: 'un tracker',
  widget: 'un widget',
  experience: 'una experiencia',
}
const SORTS = {
  relevance: 'Lo más acertado',
  trending: 'En tendencia',
  recent: 'Lo más nuevo',
  popular: 'Lo más jugado',
  remixed: 'Lo más remezclado',
  liked: 'Con más «me gusta»',
}

const counted = (count: number, one: string, many = `${one}s`) => `${n(count)} ${count === 1 ? one : many}`

function scoped({ kind, category, tag, q, featured, remixed, creator }: ListScope): string {
  const what = remixed ? (kind === null ? 'remezclas' : `remezclas de ${KINDS[kind]}`) : kind === null ? 'creaciones' : KINDS[kind]
  return [
    what,
    featured ? ' de la selección destacada' : '',
    category === null ? '' : ` en ${category}`,
    tag === null ? '' : ` con la etiqueta «${tag}»`,
    q === null ? '' : ` sobre «${q}»`,
    creator === null ? '' : ` de @${creator}`,
  ].join('')
}

export const es: AnswerTemplates = {
  heading: (sort, scope) => `${SORTS[sort]}, ${scoped(scope)}`,
  count: (total, scope) => `Públicamente hay ${n(total)} ${scoped(scope)}.`,
  entry: ({ title, creator, stats, publishedAt }, sort) => `${title} de ${creator.displayName} (${measure(stats, publishedAt)[sort]})`,
  match: ({ title, creator }, found) => `${title} de ${creator.displayName}${found.length === 0 ? '' : ` (${es.found(found)})`}`,
  found: (words) => `coincide: ${words.join(', ')}`,
  line: ({ title, creator, kind, stats, publishedAt }) =>
    `${title} de ${creator.displayName} (@${creator.handle}), ${ONE[kind]}: ${es.stats(stats)}, publicado el ${dayOf(publishedAt)}`,
  person: ({ displayName, handle }) => `${displayName} (@${handle})`,
  joined: (person, day) => `${es.person(person)} crea cosas aquí desde el ${day}.`,
  totals: ({ apps, likes, remixes, plays, followers, following }) =>
    `${counted(apps, 'creación pública', 'creaciones públicas')} con ${n(likes)} «me gusta», ${counted(remixes, 'remezcla')} y ${counted(plays, 'partida')}; ${counted(followers, 'seguidor', 'seguidores')}, sigue a ${n(following)}.`,
  made: (person, apps) => `${es.person(person)} ha hecho ${counted(apps, 'creación pública', 'creaciones públicas')}`,
  nothingMade: (person) => `${es.person(person)} no tiene creaciones públicas.`,
  followers: (person, total) => `${es.person(person)} tiene ${counted(total, 'seguidor', 'seguidores')}`,
  following: (person, total) => `${es.person(person)} sigue a ${counted(total, 'persona')}`,
  creation: ({ title, kind, creator }, category) => `${title} es ${ONE[kind]} de ${es.person(creator)} en ${category}.`,
  stats: ({ likes, remixes, plays }) => `${n(likes)} «me gusta», ${counted(remixes, 'remezcla')}, ${counted(plays, 'partida')}`,
  published: (day) => `Publicado el ${day}.`,
  remixOf: (title, handle) => `Es una remezcla de ${title} de @${handle}.`,
  remixes: (title, total) => `${title} tiene ${counted(total, 'remezcla pública', 'remezclas públicas')}`,
  leaderboard: (title) => `Mejores puntuaciones en ${title}`,
  noScores: (title) => `Nadie tiene todavía una puntuación en ${title}.`,
  score: (name, score) => `${name ?? 'alguien'} con ${score}`,
  tags: (total) => `Se usan ${counted(total, 'etiqueta')}`,
  tagLine: (label, count) => `${label} (${n(count)})`,
  categories: (total) => `Hay ${counted(total, 'categoría')}`,
  categoryLine: (label, count) => `${label} (${n(count)})`,
}

const measure = (stats: { likes: number; remixes: number; plays: number }, publishedAt: string) => ({
  trending: `${n(stats.likes)} «me gusta»`,
  liked: `${n(stats.likes)} «me gusta»`,
  popular: counted(stats.plays, 'partida'),
  remixed: counted(stats.remixes, 'remezcla'),
  recent: dayOf(publishedAt),
})
