import { z } from 'zod'
import { shareExample } from '../../content/examples.js'
import { notFound } from '../../src/contract/errors.js'
import { handle, isoDateTime, locale, namedSchema, slug } from '../../src/contract/fields.js'
import { operation } from '../../src/contract/operation.js'
import { isoTime } from '../../src/events/index.js'
import type { Reads } from '../../src/ports/document-store.js'
import { Creation, creationFields, renderCreation } from '../feed/creation.js'
import { cardsOf, itemByAddress, remixesOf } from '../feed/queries.js'
import { type ScoreDoc, scores } from './documents.js'

const MAX_REMIXES = 12
const MAX_LEADERS = 10

export const AppShare = namedSchema(
  'AppShare',
  z.object({
    ...creationFields,
    remixes: z.array(Creation).meta({ description: 'The most liked public remixes, at most 12.' }),
    leaderboard: z
      .array(z.object({ handle: z.string().nullable(), displayName: z.string().nullable(), score: z.number(), achievedAt: isoDateTime }))
      .meta({ description: 'The ten best scores: higher first, then earlier.' }),
    share: z.object({ title: z.string(), description: z.string(), imageUrl: z.string().nullable(), url: z.string() }),
  }),
  'Everything a share page shows of one creation.',
)
export type AppShare = z.infer<typeof AppShare>

export const getAppShare = operation({
  name: 'get_app_share',
  operationId: 'getAppShare',
  path: '/public/share/app/{handle}/{slug}',
  tag: 'apps',
  summary: 'App share',
  description: 'Public share data of one creation: the creation, its most liked remixes, its leaderboard and what a link preview shows.',
  input: z.object({ handle, slug, locale }),
  output: AppShare,
  models: ['feed', 'shares'],
  notFound: 'The app or the handle is unknown',
  example: shareExample,
  async run({ model, localizer, urls }, input) {
    const feed = model('feed')
    const item = await itemByAddress(feed, input.handle, input.slug)
    if (item === null) throw notFound('No public app has this address.')
    const shown = renderCreation(item, localizer, urls)
    const remixes = await remixesOf(feed, item._id, MAX_REMIXES)
    const leaders = await leaderboard(model('shares'), item._id, MAX_LEADERS)
    const cards = await cardsOf(
      feed,
      leaders.map(({ userId }) => userId),
    )
    return {
      ...shown,
      remixes: remixes.map((remix) => renderCreation(remix, localizer, urls)),
      leaderboard: leaders.map(({ userId, score, achievedAt }) => ({
        handle: cards.get(userId)?.handle ?? null,
        displayName: cards.get(userId)?.displayName ?? null,
        score,
        achievedAt: isoTime(achievedAt),
      })),
      share: {
        title: `${shown.title} · ${shown.creator.displayName}`,
        description: shown.description,
        imageUrl: shown.coverUrl,
        url: shown.url,
      },
    }
  },
})

/** Higher first, then earlier, then id. */
export function leaderboard(reads: Reads, creationId: string, limit: number): Promise<ScoreDoc[]> {
  return reads.range(scores, { index: 'leaderboard', equals: [creationId], limit })
}

const PAGE_SIZE = 50

/** A player's best scores in the same order, page by page: the caller skips creations that are not public and stops when it has enough. */
export async function* bestScores(reads: Reads, userId: string): AsyncIterable<ScoreDoc[]> {
  for (let after: ScoreDoc | undefined; ; ) {
    const continuing = after === undefined ? {} : { after: [after.rank, after.achievedAt, after._id] }
    const stretch: ScoreDoc[] = await reads.range(scores, { index: 'best', equals: [userId], limit: PAGE_SIZE, ...continuing })
    if (stretch.length > 0) yield stretch
    if (stretch.length < PAGE_SIZE) return
    after = stretch.at(-1)
  }
}
