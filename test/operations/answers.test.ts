/** Every operation against its own output schema, over a community of the size people have. */
import { deepStrictEqual } from 'node:assert'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { demoLog } from '../../demo/index.js'
import { CommunityFeedPage } from '../../readmodels/feed/public-reads.js'
import { CreatorProfile } from '../../readmodels/profiles/public-reads.js'
import type { ReadResult } from '../../src/operations/read-executor.js'
import { Service, WEB_URL } from '../harness/service.js'
import { publicReads } from '../support/built-in-models.js'

const LOCALES = ['en', 'de-AT', 'es', 'ja', 'sw']
const SORTS = ['trending', 'recent', 'popular', 'remixed', 'liked']

await t.test('every answer is exactly what its schema says', async (t) => {
  const service = await Service.start(t, { records: demoLog({ creators: 40, creations: 300, seed: 11, webUrl: WEB_URL }) })
  const answers = async (t: Test, name: string, inputs: readonly Record<string, unknown>[]): Promise<unknown[]> => {
    const operation = publicReads.find((candidate) => candidate.name === name)
    if (operation === undefined) throw new Error(`there is no operation ${name}`)
    const found: unknown[] = []
    for (const input of inputs) {
      const { data, position, languages }: ReadResult = await service.operations.execute(operation, input)
      // Parsing drops what the schema does not know, so a field too many shows as well.
      deepStrictEqual(operation.output.parse(data), data, `${name} ${JSON.stringify(input)}`)
      deepStrictEqual(position > 0 && languages.length > 0, true)
      found.push(data)
    }
    t.pass(`${name}: ${inputs.length} answers`)
    return found
  }

  const pages = await answers(
    t,
    'get_community_feed',
    SORTS.flatMap((sort) => LOCALES.map((locale) => ({ sort, locale, limit: 48 }))),
  )
  const items = z
    .array(CommunityFeedPage)
    .parse(pages)
    .flatMap((page) => page.items)
  const distinct = <T>(values: T[]): T[] => [...new Set(values)]
  const handles = distinct(items.map(({ creator }) => creator.handle))
  t.ok(handles.length > 10 && items.length > 200, 'there is something to look at')

  await answers(
    t,
    'get_community_feed',
    distinct(
      items
        .flatMap(({ tags, category }) => tags.map((tag) => ({ tag, category, featuredOnly: true })))
        .map((input) => JSON.stringify(input)),
    )
      .slice(0, 100)
      .map((input) => JSON.parse(input)),
  )
  await answers(
    t,
    'get_community_feed',
    items.slice(0, 100).map(({ title }) => ({ q: title.slice(0, 12), sort: 'liked', limit: 5 })),
  )
  await answers(t, 'get_popular_tags', [{}])
  await answers(
    t,
    'get_community_landing',
    LOCALES.map((locale) => ({ locale })),
  )
  const profiles = await answers(
    t,
    'get_creator_profile',
    handles.map((handle, i) => ({ handle, locale: LOCALES[i % LOCALES.length] })),
  )
  t.ok(
    z
      .array(CreatorProfile)
      .parse(profiles)
      .some(({ topScores }) => topScores.length > 0),
    'there are scores',
  )
  for (const name of ['get_creator_followers', 'get_creator_following']) {
    await answers(
      t,
      name,
      handles.map((handle) => ({ handle, limit: 100 })),
    )
  }
  await answers(
    t,
    'get_app_share',
    items.map(({ creator, slug }, i) => ({ handle: creator.handle, slug, locale: LOCALES[i % LOCALES.length] })),
  )
})
