import t from 'tap'
import { SORTS } from '../../readmodels/feed/documents.js'
import { CommunityFeedPage, getCommunityFeed } from '../../readmodels/feed/public-reads.js'
import { getCreatorWorks } from '../../readmodels/profiles/unlisted-reads.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'

await t.test('the works of a creator are what the feed shows of them, in its order', async (t) => {
  const { operations } = await Service.start(t, { events: COMMUNITY })
  for (const sort of SORTS) {
    const { data: feed } = await operations.execute(getCommunityFeed, { sort, limit: 48 })
    const { items } = CommunityFeedPage.parse(feed)
    const handles = new Set(items.map(({ creator }) => creator.handle))
    t.ok(handles.size > 1, 'of more than one')
    for (const handle of handles) {
      const { data } = await operations.execute(getCreatorWorks, { handle, sort })
      const theirs = items.filter(({ creator }) => creator.handle === handle)
      t.strictSame(data, { items: theirs, total: theirs.length, complete: true }, `${handle} by ${sort}`)
    }
  }
  const { data: unknown } = await operations.execute(getCreatorWorks, { handle: 'nobody-here', sort: 'recent' })
  t.strictSame(unknown, { items: [], total: 0, complete: true })
})
