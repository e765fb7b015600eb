import { deepStrictEqual } from 'node:assert/strict'
import { CATEGORIES, HANDLES, SLUGS } from '../reference-model/arbitrary-fields.js'
import type { Community, FeedQuestion } from '../reference-model/community.js'
import type { Reader } from './models.js'

const SORTS = ['trending', 'recent', 'popular', 'remixed', 'liked'] as const
const TAG_KEYS = ['fun', 'habit-tracking', 'a|b', 'nowhere']
const SEARCHES = [
  'apple',
  'APP',
  'red apple',
  'pie red',
  'cafe noir',
  'noir cafe',
  'りんご',
  'ゲーム',
  'timetables',
  'habit tracking',
  'a',
  '日本',
  '!!!',
]

/** Runs every public read with all inputs that matter for the arbitrary logs, and throws where the reference model answers otherwise. */
export async function sameAnswers(reader: Reader, community: Community, language: string): Promise<void> {
  const same = async (name: string, input: object, expected: unknown) =>
    deepStrictEqual(await reader.ask(name, input), expected, `${name} ${JSON.stringify(input)}`)

  for (const question of questions(language)) await sameFeed(reader, community, question)
  await same('get_popular_tags', {}, community.tags())
  deepStrictEqual(untitled(await reader.ask('get_community_landing', { locale: language })), community.landing(language))
  for (const handle of [...HANDLES, 'BOB', 'maker', 'nobody']) {
    await same('get_creator_profile', { handle, locale: language }, community.profile(handle, language))
    for (const limit of [1, 24]) {
      await same('get_creator_followers', { handle, limit }, community.followers(handle, limit))
      await same('get_creator_following', { handle, limit }, community.following(handle, limit))
    }
    for (const slug of [...SLUGS, 'p7', 'none'])
      await same('get_app_share', { handle, slug, locale: language }, community.share(handle, slug, language))
  }
}

function* questions(language: string): Iterable<FeedQuestion> {
  for (const sort of SORTS) {
    for (const category of [undefined, ...CATEGORIES])
      for (const tag of [undefined, ...TAG_KEYS])
        for (const featuredOnly of [false, true]) yield { sort, category, tag, featuredOnly, locale: language }
  }
  for (const q of SEARCHES) {
    yield { sort: 'liked', q, locale: language }
    yield { sort: 'trending', q, category: 'games', featuredOnly: true, locale: language }
    yield { sort: 'recent', q, tag: 'fun', locale: language }
  }
}

async function sameFeed(reader: Reader, community: Community, question: FeedQuestion): Promise<void> {
  const expected = community.feed(question)
  const page = { limit: 48, sort: question.sort ?? 'trending', returned: expected.items.length, next_cursor: null, has_more: false }
  // Who is called like a search is no matter of this order.
  const { creators: _, ...answer } = await reader.feed({ ...question, limit: 48 })
  deepStrictEqual(answer, { ...expected, hasMore: false, next_cursor: null, pagination: page }, `feed ${JSON.stringify(question)}`)
}

/** The titles of the rails are wording, not data. */
function untitled(landing: unknown): unknown {
  const { rails, ...rest } = landing as { rails: { title: string }[] }
  return { ...rest, rails: rails.map(({ title: _, ...rail }) => rail) }
}
