import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { profilesProjection } from '../../projections/profiles/index.js'
import { sharesProjection } from '../../projections/shares/index.js'
import { tagsProjection } from '../../projections/tags/index.js'
import type { Projection } from '../../src/engine/definition/projection.js'
import {
  but,
  edited,
  erased,
  featured,
  followed,
  handleChanged,
  liked,
  minutes,
  played,
  published,
  registered,
  removed,
  republished,
  scored,
  type Told,
  unfeatured,
  unfollowed,
  unliked,
  unpublished,
} from '../spec/events.js'
import { orders } from '../spec/orders.js'
import { Script } from '../spec/script.js'
import { projectInOrder } from '../support/any-order.js'
import { sameDump } from '../support/dump.js'
import { thorough } from '../support/tier.js'

const SCENES: Record<string, { in: readonly Projection[]; told: readonly Told[] }> = {
  'a remix, its original and the creators of both': {
    in: [feedProjection, tagsProjection],
    told: [
      registered('ann'),
      registered('bob'),
      published('c1', { by: 'ann', tags: ['x'] }),
      edited('c1', { title: { en: 'Renamed' }, tags: ['y'] }),
      published('c2', { by: 'bob', remixOf: 'c1', tags: ['x'] }),
    ],
  },
  'an original that comes, goes and comes back beside its remix': {
    in: [feedProjection],
    told: [
      published('c1', { by: 'ann' }),
      unpublished('c1'),
      republished('c1'),
      published('c2', { by: 'bob', remixOf: 'c1' }),
      registered('ann'),
    ],
  },
  'a creator who changes handle while their creation is remixed': {
    in: [feedProjection, profilesProjection],
    told: [registered('ann'), handleChanged('ann', 'annie'), published('c1', { by: 'ann' }), published('c2', { by: 'bob', remixOf: 'c1' })],
  },
  'an erased creator and their creation': {
    in: [feedProjection, tagsProjection, sharesProjection],
    told: [
      registered('ann'),
      erased('ann'),
      published('c1', { by: 'ann', tags: ['x'] }),
      liked('c1', 'bob'),
      scored('c1', 'bob', 1),
      removed('c1'),
    ],
  },
  'an erased creator whose creation was liked and scored before it was published': {
    in: [feedProjection, sharesProjection, tagsProjection],
    told: [liked('c1', 'bob'), scored('c1', 'bob', 3), published('c1', { by: 'ann' }), erased('ann')],
  },
  'an erased creator who remixed something not seen yet': {
    in: [feedProjection],
    told: [erased('bob'), published('c2', { by: 'bob', remixOf: 'c1' })],
  },
  'an erased creator whose creation was remixed': {
    in: [feedProjection],
    told: [
      registered('ann'),
      erased('ann'),
      published('c1', { by: 'ann' }),
      published('c2', { by: 'bob', remixOf: 'c1' }),
      registered('bob'),
    ],
  },
  'a second publication that names an erased creator': {
    in: [feedProjection, tagsProjection, sharesProjection],
    told: [registered('ann'), published('c1', { by: 'ann', tags: ['x'] }), published('c1', { by: 'bob', tags: ['y'] }), erased('bob')],
  },
  'an erased person who liked, took it back and liked again': {
    in: [feedProjection],
    told: [published('c1', { by: 'ann' }), liked('c1', 'bob'), unliked('c1', 'bob'), liked('c1', 'bob'), registered('ann'), erased('bob')],
  },
  'follows of and by people not seen yet, and by one erased': {
    in: [profilesProjection],
    told: [followed('ann', 'bob'), followed('ann', 'cyd'), unfollowed('ann', 'cyd'), registered('ann'), registered('bob'), erased('bob')],
  },
  'an edit that arrives after a like of later sequence': {
    in: [feedProjection, tagsProjection],
    told: [registered('ann'), published('c1', { by: 'ann', tags: ['x'] }), liked('c1', 'bob'), edited('c1', { tags: ['y'] })],
  },
  'a publication that comes after all else, and one that names another creator and original': {
    in: [feedProjection, tagsProjection, sharesProjection],
    told: [
      registered('ann'),
      published('c2', { by: 'ann' }),
      published('c1', { by: 'ann', remixOf: 'c2', tags: ['x'] }),
      published('c1', { by: 'bob', remixOf: 'c3', tags: ['y'] }),
      unpublished('c1'),
    ],
  },
  'a creation that is featured, unfeatured and published again': {
    in: [feedProjection, tagsProjection],
    told: [
      registered('ann'),
      published('c1', { by: 'ann' }),
      featured('c1'),
      unfeatured('c1'),
      published('c1', { by: 'ann', tags: ['x'] }),
    ],
  },
  'plays, scores and likes of one creation, one of them twice': {
    in: [feedProjection, sharesProjection],
    told: [
      published('c1', { by: 'ann' }),
      played('c1'),
      but(played('c1'), { sequence: 2, time: minutes(2) }),
      scored('c1', 'bob', 3),
      liked('c1', 'bob'),
    ],
  },
  'a follow that is taken back and repeated': {
    in: [profilesProjection],
    told: [followed('ann', 'bob'), unfollowed('ann', 'bob'), followed('ann', 'bob'), unfollowed('ann', 'cyd'), registered('ann')],
  },
  'a removal in the middle of a life': {
    in: [feedProjection, tagsProjection, sharesProjection],
    told: [published('c1', { by: 'ann', tags: ['x'] }), removed('c1'), republished('c1'), liked('c1', 'bob'), registered('ann')],
  },
  'two people who claim one handle': {
    in: [profilesProjection, feedProjection],
    told: [registered('ann', { handle: 'studio' }), registered('bob', { handle: 'Studio' }), handleChanged('ann', 'STUDIO'), erased('bob')],
  },
}

/** All orders of five events, and as many of six. */
const EVERY = thorough ? 1 : 6

t.test('semantics 1: documents depend on which events the log holds, not on their order', async (t) => {
  for (const [name, { in: projections, told }] of Object.entries(SCENES))
    for (const projection of projections)
      await t.test(`${name}, in ${projection.name}`, async (t) => {
        const records = new Script().write(...told)
        const expected = await projectInOrder(projection, records, records.length)
        let count = 0
        for (const order of orders(records)) {
          count += 1
          if (records.length > 5 && count % EVERY !== 0) continue
          const batch = count % 2 === 0 ? 1 : records.length
          const dump = await projectInOrder(projection, order, batch)
          t.doesNotThrow(() => sameDump(dump, expected), `read as ${order.map(({ position }) => position).join(' ')}, ${batch} at a time`)
        }
        t.ok(count > 1, `${count} orders`)
      })
})
