import type { AnswerTemplates, ListScope } from '../../../src/ask/answer/templates.js'
import { dayOf, numberFormat } from '../../../src/ask/languages.js'
import type { Kind } from '../../../src/events/index.js'

const n = numberFormat('ja')
const KINDS: Record<Kind, string> = { app: 'アプリ', game: 'ゲーム', tracker: 'トラッカー', widget: 'ウィジェット', experience: '体験' }
const SORTS = {
  relevance: '関連の高い順',
  trending: 'トレンド',
  recent: '新着',
  popular: 'プレイの多い順',
  remixed: 'リミックスの多い順',
  liked: 'いいねの多い順',
}

function scoped({ kind, category, tag, q, featured, remixed, creator }: ListScope): string {
  const what = `${featured ? '注目の' : ''}${kind === null ? (remixed ? 'リミックス' : '作品') : `${KINDS[kind]}${remixed ? 'のリミックス' : ''}`}`
  return [
    creator === null ? '' : `@${creator}の`,
    category === null ? '' : `「${category}」の`,
    tag === null ? '' : `タグ「${tag}」の`,
    q === null ? '' : `「${q}」の`,
    what,
  ].join('')
}

export const ja: AnswerTemplates = {
  heading: (sort, scope) => `${scoped(scope)}（${SORTS[sort]}）`,
  count: (total, scope) => `公開されている${scoped(scope)}は${n(total)}件です。`,
  entry: ({ title, creator, stats, publishedAt }, sort) => `${title}（${creator.displayName}、${measure(stats, publishedAt)[sort]}）`,
  match: ({ title, creator }, found) => `${title}（${[creator.displayName, ...(found.length === 0 ? [] : [ja.found(found)])].join('、')}）`,
  found: (words) => `一致：${words.join('、')}`,
  line: ({ title, creator, kind, stats, publishedAt }) =>
    `${title}（${creator.displayName}、@${creator.handle}）、${KINDS[kind]}、${ja.stats(stats)}、公開日 ${dayOf(publishedAt)}`,
  person: ({ displayName, handle }) => `${displayName}（@${handle}）`,
  joined: (person, day) => `${ja.person(person)}は${day}からのクリエイターです。`,
  totals: ({ apps, likes, remixes, plays, followers, following }) =>
    `公開作品${n(apps)}件、いいね${n(likes)}、リミックス${n(remixes)}、プレイ${n(plays)}、フォロワー${n(followers)}人、フォロー中${n(following)}人。`,
  made: (person, apps) => `${ja.person(person)}の公開作品は${n(apps)}件です`,
  nothingMade: (person) => `${ja.person(person)}の公開作品はありません。`,
  followers: (person, total) => `${ja.person(person)}のフォロワーは${n(total)}人です`,
  following: (person, total) => `${ja.person(person)}がフォローしているのは${n(total)}人です`,
  creation: ({ title, kind, creator }, category) => `${title}は${ja.person(creator)}の${KINDS[kind]}で、カテゴリは${category}です。`,
  stats: ({ likes, remixes, plays }) => `いいね${n(likes)}、リミックス${n(remixes)}、プレイ${n(plays)}`,
  published: (day) => `公開日は${day}です。`,
  remixOf: (title, handle) => `@${handle}の${title}のリミックスです。`,
  remixes: (title, total) => `${title}の公開リミックスは${n(total)}件です`,
  leaderboard: (title) => `${title}のランキング`,
  noScores: (title) => `${title}のスコアはまだありません。`,
  score: (name, score) => `${name ?? '匿名'} ${score}`,
  tags: (total) => `使われているタグは${n(total)}個です`,
  tagLine: (label, count) => `${label}（${n(count)}）`,
  categories: (total) => `カテゴリは${n(total)}個です`,
  categoryLine: (label, count) => `${label}（${n(count)}）`,
}

const measure = (stats: { likes: number; remixes: number; plays: number }, publishedAt: string) => ({
  trending: `いいね${n(stats.likes)}`,
  liked: `いいね${n(stats.likes)}`,
  popular: `プレイ${n(stats.plays)}`,
  remixed: `リミックス${n(stats.remixes)}`,
  recent: dayOf(publishedAt),
})
