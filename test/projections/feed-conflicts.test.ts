/** Semantics 3: two events with one sequence are a conflict. The first in the log counts, whatever the two are. */
import t from 'tap'
import { feedProjection } from '../../projections/feed/index.js'
import { items } from '../../readmodels/feed/documents.js'
import {
  but,
  edited,
  erased,
  featured,
  liked,
  played,
  published,
  registered,
  scored,
  type Told,
  unfeatured,
  unliked,
  unpublished,
} from '../spec/events.js'
import { holds, projecting } from '../spec/given.js'
import { Script } from '../spec/script.js'
import { sameDump } from '../support/dump.js'
import { project } from '../support/project-log.js'

const { given } = projecting(feedProjection)

const shown = [registered('ann'), published('c1', { by: 'ann' }), liked('c1', 'bob')]

const EVENTS: Record<string, Told> = {
  play: played('c1', 'cyd'),
  score: scored('c1', 'cyd', 7),
  like: liked('c1', 'cyd'),
  unlike: unliked('c1', 'bob'),
  title: edited('c1', { title: { en: 'Another' } }),
  slug: edited('c1', { slug: 'another' }),
  tags: edited('c1', { tags: ['another'] }),
  hidden: unpublished('c1'),
  featured: featured('c1'),
  unfeatured: unfeatured('c1'),
}

t.test('whichever comes second changes nothing, also when it comes again', async (t) => {
  for (const [name, first] of Object.entries(EVENTS))
    for (const [other, second] of Object.entries(EVENTS)) {
      if (name === other) continue
      const third = but(second, { sequence: 3 })
      const both = await project(feedProjection, new Script().write(...shown, but(first, { sequence: 3 }), third, third))
      await t.resolveMatch(
        (async () => sameDump(both, await project(feedProjection, new Script().write(...shown, but(first, { sequence: 3 })))))(),
        undefined,
        `${name}, then ${other}`,
      )
    }
})

t.test('a publication that comes second shows nothing, but whom it names is an owner', async (t) => {
  const conflict = [...shown, registered('dan'), but(published('c1', { by: 'dan', title: { en: 'Of Dan' } }), { sequence: 2 })]
  await given(...conflict).then(
    t,
    holds(items, { c1: { title: { en: 'c1 title' }, creatorId: 'ann', people: ['ann', 'dan'], published: true } }),
  )
  await given(...conflict, erased('dan')).then(t, holds(items, { c1: { removed: true } }))
  const unpublished = [but(played('c2'), { sequence: 1 }), but(published('c2', { by: 'dan' }), { sequence: 1 })]
  await given(...unpublished).then(t, holds(items, { c2: { creatorId: null, people: ['dan'], published: false, plays: 1 } }))
  await given(...unpublished, erased('dan')).then(t, holds(items, { c2: { removed: true } }))
  await given(...unpublished, but(published('c2', { by: 'eve' }), { sequence: 2 })).then(
    t,
    holds(items, { c2: { creatorId: 'eve', people: ['dan', 'eve'] } }),
  )
})

t.test('with so many gaps that some are given up, nothing says that a field was set: what comes late sets it', async (t) => {
  const gaps = Array.from({ length: 1100 }, (_, i) => but(liked('c1', `u${i}`), { sequence: 2 * i + 3 }))
  const late = but(edited('c1', { title: { en: 'Late' } }), { sequence: 2 })
  const told = [registered('ann'), but(published('c1', { by: 'ann' }), { sequence: 1 }), ...gaps, late]
  const dump = await project(feedProjection, new Script().write(...told))
  t.match(JSON.parse(dump.get('items/c1') ?? ''), { title: { en: 'Late' }, likes: 1100 })
})
