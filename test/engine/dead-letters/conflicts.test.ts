/** Two events with one sequence, and how an operator settles it. */
import t from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { integrityProjection } from '../../../projections/integrity/index.js'
import { SUMMARY } from '../../../readmodels/integrity/documents.js'
import { but, edited, liked, poison, published, registered } from '../../spec/events.js'
import { ProjectorFixture } from '../fixture.js'
import { STORES } from '../stores.js'

const titled = (title: string) => but(edited('c1', { title: { en: title } }), { sequence: 2 })
const told = [registered('ann'), published('c1', { by: 'ann' }), titled('first'), titled('second'), liked('c1', 'bob')]
const slip = (position: number) => ({ kind: 'discard' as const, position, reason: 'two publishers', folded: true })

for (const subject of STORES) {
  const docOf = async (fixture: ProjectorFixture, id: string) => JSON.parse((await fixture.dump()).get(id) ?? 'null')

  t.test(`${subject.name}: the first counts; once it is discarded, a rebuild takes the second`, async (t) => {
    const fixture = await ProjectorFixture.open(t, subject, told, feedProjection)
    t.match(await docOf(fixture, 'items/c1'), { title: { en: 'first' }, likes: 1 })
    t.match(await fixture.ask(slip(3)), { state: 'done', outcome: /only rebuilds will leave it out/ })
    t.match(await fixture.rebuild(), { state: 'done' })
    t.match(await docOf(fixture, 'items/c1'), { title: { en: 'second' }, likes: 1 })
  })

  t.test(`${subject.name}: the conflict is named until one of them is discarded`, async (t) => {
    for (const position of [3, 4]) {
      const fixture = await ProjectorFixture.open(t, subject, told, integrityProjection)
      t.match(await docOf(fixture, `integrity/${SUMMARY}`), { conflicts: 1, gaps: 0 })
      t.match(await fixture.ask(slip(position)), { state: 'done' })
      t.match(await fixture.rebuild(), { state: 'done' })
      t.match(await docOf(fixture, `integrity/${SUMMARY}`), { conflicts: 0, gaps: 0 })
      t.notOk([...(await fixture.dump()).keys()].some((id) => id.startsWith('conflicts/')))
      t.match(await fixture.rebuild(), { state: 'done' }, 'and another rebuild finds nothing folded that was discarded')
    }
  })

  t.test(`${subject.name}: the sequence of a discarded event is not missing, and a corrected event takes it`, async (t) => {
    const bad = but(poison(edited('c1', { title: { en: 'bad' } })), { sequence: 2 })
    for (const projection of [feedProjection, integrityProjection]) {
      const fixture = await ProjectorFixture.open(t, subject, [registered('ann'), published('c1', { by: 'ann' }), bad], projection)
      t.match(await fixture.ask(slip(3)), { state: 'done' })
      await fixture.tell(titled('corrected'))
      const live = await fixture.dump()
      t.match(await fixture.rebuild(), { state: 'done' })
      t.strictSame(await fixture.dump(), live, 'a rebuild agrees')
      if (projection === feedProjection) t.match(await docOf(fixture, 'items/c1'), { title: { en: 'corrected' }, seq: 2, gaps: [] })
      else t.match(await docOf(fixture, `integrity/${SUMMARY}`), { conflicts: 0, gaps: 0 })
    }
  })
}
