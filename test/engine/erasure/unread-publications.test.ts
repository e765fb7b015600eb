/** Semantics 8: whom a publication names that could not be folded counts as an owner, in every generation. */
import t, { type Test } from 'tap'
import { feedProjection } from '../../../projections/feed/index.js'
import { sharesProjection } from '../../../projections/shares/index.js'
import { tagsProjection } from '../../../projections/tags/index.js'
import { listParked } from '../../../src/engine/dead-letters/dead-letter-queries.js'
import { START } from '../../../src/events/index.js'
import { eventually } from '../../ports/subject.js'
import { but, DAWN, edited, erased, liked, poison, published, registered, scored, type Told, unreadable } from '../../spec/events.js'
import { type Dump, sameDump } from '../../support/dump.js'
import { faultyProjection } from '../../support/faulty-projection.js'
import { project } from '../../support/project-log.js'
import { ProjectorFixture } from '../fixture.js'
import { STORES } from '../stores.js'

const people = [registered('ada'), registered('ben')]
const publication = published('c1', { by: 'ada', title: { en: 'Lovelight' }, tags: ['lovelight'] })
/** What others and she do with a creation of which no model knows the owner. */
const aboutIt = [
  edited('c1', { title: { en: 'Lovelight' }, tags: ['lovelight'], slug: 'lovelight' }),
  liked('c1', 'ben'),
  scored('c1', 'ben', 7),
  published('c2', { by: 'ben', remixOf: 'c1' }),
]

/** As far as the envelope and the data can be read. */
const UNREAD: Record<string, Told> = {
  'of an unknown version': poison(publication),
  'with a time in the future': but(publication, { time: Date.UTC(2999, 0, 1), appendedAt: DAWN }),
  'with another subject': but(publication, { subject: 'creation/c9' }),
  'with data that break the schema': { ...publication, data: { ...Object(publication.data), kind: 'spaceship' } },
  'without an envelope': unreadable('creation/c1', JSON.stringify({ type: publication.type, data: publication.data })),
  'cut short': unreadable('creation/c1', JSON.stringify({ type: publication.type, data: publication.data }).slice(0, -9)),
}

const wordsIn = (dump: Dump): string[] => [...dump].filter(([, text]) => /lovelight/i.test(text)).map(([name]) => name)
const lettersIn = (dump: Dump): string[] => [...dump.keys()].filter((name) => /^(letters|parked)\//.test(name))

for (const subject of STORES)
  for (const projection of [feedProjection, tagsProjection, sharesProjection]) {
    const open = (t: Test, ...told: Told[]) => ProjectorFixture.open(t, subject, told, projection)
    const name = `${subject.name}, ${projection.name}`

    t.test(`${name}: a removal takes the stub of an unreadable publication, live and retired`, async (t) => {
      for (const [how, unread] of Object.entries(UNREAD)) {
        const fixture = await open(t, ...people, unread, ...aboutIt)
        t.equal((await fixture.rebuild()).state, 'done', how)
        if (projection !== sharesProjection) t.not(wordsIn(await fixture.dump(1)).length, 0, 'or this would prove nothing')
        t.match(await listParked(fixture.store, projection.name), [{ aggregate: 'creation/c1' }])
        await fixture.tell(erased('ada'), edited('c1', { title: { en: 'Lovelight, too late' } }))
        await eventually(async () => lettersIn(await fixture.dump(1)).length === 0)
        for (const generation of [1, 2]) {
          t.strictSame(wordsIn(await fixture.dump(generation)), [], `${how}: generation ${generation}`)
          t.strictSame(lettersIn(await fixture.dump(generation)), [])
        }
        sameDump(await fixture.dump(), await project(projection, await fixture.log.read(START, 100)))
        await fixture.stop()
      }
    })

    t.test(`${name}: a publication of somebody erased is no dead letter, and takes the stub, live and retired`, async (t) => {
      for (const [how, late] of Object.entries({ ...UNREAD, 'that can be read': publication })) {
        const fixture = await open(t, ...people, ...aboutIt, erased('ada'))
        await fixture.rebuild()
        await fixture.tell(late)
        t.strictSame(await listParked(fixture.store, projection.name), [], how)
        t.strictSame(wordsIn(await fixture.dump()), [])
        await eventually(async () => wordsIn(await fixture.dump(1)).length === 0)
        sameDump(await fixture.dump(), await project(projection, await fixture.log.read(START, 100)))
        await fixture.stop()
      }
    })

    t.test(`${name}: a publication whose fold has thrown names its owner, too`, async (t) => {
      const { projection: failing } = faultyProjection(projection, 'apply', ({ id, name }) => id === 'e3' && name === 'creation.published')
      const fixture = await ProjectorFixture.open(t, subject, [...people, publication, ...aboutIt], failing)
      t.match(await listParked(fixture.store, projection.name), [{ aggregate: 'creation/c1', position: 3 }])
      await fixture.tell(erased('ada'))
      t.strictSame([...wordsIn(await fixture.dump()), ...lettersIn(await fixture.dump())], [])
      const late = await ProjectorFixture.open(t, subject, [erased('ada'), aboutIt[0] ?? publication, publication], failing)
      t.strictSame([...wordsIn(await late.dump()), ...lettersIn(await late.dump())], [], 'nor is there one after the removal')
    })

    t.test(`${name}: one that was discarded names nobody`, async (t) => {
      const fixture = await open(t, ...people, published('c1', { by: 'ben' }), poison(publication), ...aboutIt)
      t.match(await fixture.ask({ kind: 'discard', position: 4, reason: 'sent by mistake' }), { state: 'done' })
      const before = await fixture.dump()
      await fixture.tell(erased('ada'))
      for (const [id, text] of before) if (id.endsWith('/c1')) t.equal((await fixture.dump()).get(id), text, id)
    })
  }
