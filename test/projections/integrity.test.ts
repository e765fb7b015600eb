import t from 'tap'
import { integrityProjection } from '../../projections/integrity/index.js'
import { arrivals, integrity, SUMMARY } from '../../readmodels/integrity/documents.js'
import { but, defined, erased, liked, published, registered, removed, type Told } from '../spec/events.js'
import { holds, lists, only, projecting } from '../spec/given.js'

const { given, when } = projecting(integrityProjection, { countsDuplicates: true })

const at = (...sequences: number[]): Told[] => sequences.map((sequence, i) => but(liked('c1', `u${i}`), { sequence }))
const fine = { missing: [], gapSince: null, late: 0, duplicates: 0 }

t.test('every type of every aggregate is followed, removed ones too', (t) =>
  when(registered('ann'), published('c1', { by: 'ann' }), removed('c1'), defined('games'), erased('ann'), liked('c1', 'bob')).then(
    t,
    only(arrivals, {
      'creator/ann': { last: 2, ...fine },
      'creation/c1': { last: 3, ...fine },
      'category/games': { last: 1, ...fine },
    }),
    only(integrity, { [SUMMARY]: { aggregates: 3, gaps: 0, late: 0, duplicates: 0 } }),
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

t.test('an aggregate full of holes does not grow for ever', (t) =>
  when(...at(...Array.from({ length: 300 }, (_, i) => 2 * i + 1))).then(t, async (t, world) => {
    const doc = await world.doc(arrivals, 'creation/c1')
    t.equal(doc?.last, 599)
    t.equal(doc?.missing.length, 100)
    t.strictSame(doc?.missing.at(-1), [200, 598], 'the rest is one range')
  }),
)
