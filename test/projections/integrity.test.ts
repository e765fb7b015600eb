import t from 'tap'
import { shortHash } from '../../projections/integrity/arrived-hashes.js'
import { integrityProjection } from '../../projections/integrity/index.js'
import { arrivals, conflicts, integrity, SUMMARY } from '../../readmodels/integrity/documents.js'
import { but, defined, erased, liked, published, registered, removed, type Told } from '../spec/events.js'
import { holds, lists, only, projecting } from '../spec/given.js'
import { Script } from '../spec/script.js'
import { project } from '../support/project-log.js'

const { given, when } = projecting(integrityProjection, { countsDuplicates: true })

/** Each sequence with an event of its own: the same one again is a copy. */
const at = (...sequences: number[]): Told[] => sequences.map((sequence) => but(liked('c1', 'ann'), { sequence, id: `like-${sequence}` }))
const fine = { missing: [], gapSince: null, givenUp: 0, late: 0, duplicates: 0, conflicts: 0 }

t.test('every type of every aggregate is followed, removed ones too', (t) =>
  when(registered('ann'), published('c1', { by: 'ann' }), removed('c1'), defined('games'), erased('ann'), liked('c1', 'bob')).then(
    t,
    holds(arrivals, {
      'creator/ann': { last: 2, ...fine },
      'creation/c1': { last: 3, ...fine },
      'category/games': { last: 1, ...fine },
    }),
    only(integrity, { [SUMMARY]: { aggregates: 3, gaps: 0, givenUp: 0, late: 0, duplicates: 0, conflicts: 0 } }),
  ),
)

t.test('a gap is seen when a later event arrives, and counts from then', (t) =>
  given(...at(1))
    .when(...at(5))
    .then(
      t,
      holds(arrivals, { 'creation/c1': { last: 5, missing: [[2, 4]], gapSince: 2 } }),
      holds(integrity, { [SUMMARY]: { aggregates: 1, gaps: 1 } }),
      lists(arrivals, 'gaps', [], ['creation/c1']),
    ),
)

t.test('the very first of an aggregate can be missing too', (t) =>
  when(...at(3)).then(t, holds(arrivals, { 'creation/c1': { last: 3, missing: [[1, 2]], gapSince: 1 } })),
)

t.test('late arrivals fill a gap from either end and from the middle', async (t) => {
  const cases: [name: string, late: number[], missing: [number, number][]][] = [
    ['the first', [2], [[3, 6]]],
    ['the last', [6], [[2, 5]]],
    [
      'the middle',
      [4],
      [
        [2, 3],
        [5, 6],
      ],
    ],
    [
      'some',
      [3, 5],
      [
        [2, 2],
        [4, 4],
        [6, 6],
      ],
    ],
    ['all', [2, 3, 4, 5, 6], []],
  ]
  for (const [name, late, missing] of cases)
    await t.test(name, (t) =>
      given(...at(1, 7))
        .when(...at(...late))
        .then(
          t,
          holds(arrivals, {
            'creation/c1': { last: 7, missing, gapSince: missing.length === 0 ? null : 2, late: late.length, duplicates: 0 },
          }),
          holds(integrity, { [SUMMARY]: { gaps: missing.length === 0 ? 0 : 1, late: late.length } }),
          lists(arrivals, 'gaps', [], missing.length === 0 ? [] : ['creation/c1']),
        ),
    )
})

t.test('duplicates: of the last, of an older one, of a late one', (t) =>
  given(...at(1, 2, 5))
    .when(...at(5, 1, 3, 3))
    .then(
      t,
      holds(arrivals, { 'creation/c1': { last: 5, missing: [[4, 4]], late: 1, duplicates: 3 } }),
      holds(integrity, { [SUMMARY]: { duplicates: 3, late: 1 } }),
    ),
)

t.test('several gaps of several aggregates', (t) =>
  when(...at(1, 3, 6), but(registered('ann'), { sequence: 4 }), registered('bob')).then(
    t,
    holds(arrivals, {
      'creation/c1': {
        missing: [
          [2, 2],
          [4, 5],
        ],
        gapSince: 2,
      },
      'creator/ann': { missing: [[1, 3]], gapSince: 4 },
    }),
    holds(integrity, { [SUMMARY]: { aggregates: 3, gaps: 2 } }),
    lists(arrivals, 'gaps', [], ['creation/c1', 'creator/ann']),
  ),
)

/** Not one by one with a restart before each, as the others: there are too many. */
async function arrivalsAfter(...sequences: number[]) {
  const dump = await project(integrityProjection, new Script().write(...at(...sequences)))
  return JSON.parse(dump.get('arrivals/creation/c1') ?? 'null')
}

t.test('beyond a thousand gaps the oldest is given up and counted, and taken when it comes', async (t) => {
  const even = Array.from({ length: 1100 }, (_, i) => 2 * i + 2)
  const doc = await arrivalsAfter(...even)
  t.match(doc, { last: 2200, givenUp: 100 })
  t.equal(doc.missing.length, 1000)
  t.strictSame(doc.missing[0], [201, 201])
  t.match(await arrivalsAfter(...even, 1), { givenUp: 99, late: 1 })
})

t.test('nothing is missing of what was removed, wherever the removal stands', async (t) => {
  for (const behind of [0, 1, 2, 3, 4])
    await when(...at(1, 7, 4, 12).toSpliced(behind, 0, but(removed('c1'), { sequence: 9 }))).then(
      t,
      holds(arrivals, { 'creation/c1': { last: 12, removed: true, missing: [], gapSince: null, givenUp: 0 } }),
      holds(integrity, { [SUMMARY]: { gaps: 0, givenUp: 0 } }),
      lists(arrivals, 'gaps', [], []),
    )
})

t.test('events of unknown types are no gaps', (t) =>
  when(...at(1), but(liked('c1', 'bob'), { sequence: 2, type: 'creation.teleported.v1' }), ...at(3)).then(
    t,
    holds(arrivals, { 'creation/c1': { last: 3, ...fine } }),
  ),
)

t.test('two events with one sequence are a conflict, near and far, and named once', (t) =>
  given(...at(...Array.from({ length: 70 }, (_, i) => i + 1)))
    .when(
      but(liked('c1', 'bob'), { sequence: 70, id: 'rival-70' }),
      but(liked('c1', 'bob'), { sequence: 3, id: 'rival-3' }),
      but(liked('c1', 'bob'), { sequence: 3, id: 'rival-3' }),
      ...at(3, 63, 64),
    )
    .then(
      t,
      holds(arrivals, { 'creation/c1': { last: 70, conflicts: 2, duplicates: 4 } }),
      only(conflicts, {
        [`creation/c1~70~${shortHash('rival-70')}`]: { aggregate: 'creation/c1', sequence: 70, position: 71, eventId: 'rival-70' },
        [`creation/c1~3~${shortHash('rival-3')}`]: { aggregate: 'creation/c1', sequence: 3, position: 72, eventId: 'rival-3' },
      }),
      holds(integrity, { [SUMMARY]: { conflicts: 2, duplicates: 4 } }),
    ),
)

t.test('a third event with the same sequence is a second conflict', (t) =>
  given(...at(1), but(liked('c1', 'bob'), { sequence: 1, id: 'second' }))
    .when(but(liked('c1', 'cyd'), { sequence: 1, id: 'third' }), but(liked('c1', 'bob'), { sequence: 1, id: 'second' }))
    .then(t, holds(arrivals, { 'creation/c1': { conflicts: 2, duplicates: 1 } })),
)

t.test('a sequence that no aggregate can have reached is no gap, not even of a removal or of an unknown type', (t) =>
  when(
    ...at(1),
    but(liked('c1', 'bob'), { sequence: 9e15 }),
    but(liked('c1', 'bob'), { sequence: 9e15, type: 'creation.teleported.v1' }),
    but(removed('c1'), { sequence: 9e15 }),
  ).then(t, holds(arrivals, { 'creation/c1': { last: 1, ...fine } })),
)

t.test('a corrected event with the sequence of one that could not be used is no conflict', (t) =>
  given(...at(1), but({ ...liked('c1', 'bob'), data: { creationId: 'c1' } }, { sequence: 2, id: 'broken' }))
    .when(but(liked('c1', 'bob'), { sequence: 2, id: 'mended' }))
    .then(t, holds(arrivals, { 'creation/c1': { last: 2, conflicts: 0, late: 1, missing: [] } })),
)
