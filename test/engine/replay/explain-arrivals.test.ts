import t from 'tap'
import { ArrivalNotes, explain } from '../../../src/engine/replay/explain.js'
import type { Position } from '../../../src/events/index.js'
import { but, edited, liked, played, poison, published, registered, type Told } from '../../spec/events.js'
import { projectionOf, ReplayFixture } from './fixture.js'

t.test('how each event of an aggregate came', async (t) => {
  const cases: [what: string, events: [sequence: number, id: string, poison?: 'poison'][], notes: (string | null)[]][] = [
    [
      'in order',
      [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
      ],
      [null, null, null],
    ],
    [
      'a gap is no note of its own',
      [
        [1, 'a'],
        [9, 'b'],
      ],
      [null, null],
    ],
    [
      'late',
      [
        [1, 'a'],
        [9, 'b'],
        [2, 'c'],
        [10, 'd'],
        [3, 'e'],
      ],
      [null, null, 'late: sequence 2 after 9', null, 'late: sequence 3 after 10'],
    ],
    [
      'the first of all',
      [
        [2, 'a'],
        [1, 'b'],
      ],
      [null, 'late: sequence 1 after 2'],
    ],
    [
      'again',
      [
        [1, 'a'],
        [2, 'b'],
        [1, 'a'],
        [2, 'b'],
      ],
      [null, null, 'repeats position 1', 'repeats position 2'],
    ],
    [
      'late, and again',
      [
        [2, 'a'],
        [1, 'b'],
        [1, 'b'],
      ],
      [null, 'late: sequence 1 after 2', 'repeats position 2'],
    ],
    [
      'two with one sequence, and the second again',
      [
        [1, 'a'],
        [1, 'b'],
        [1, 'b'],
      ],
      [null, 'conflict: position 1 has sequence 1, too', 'repeats position 2'],
    ],
    [
      'one that takes the place of one that cannot be folded',
      [
        [1, 'a', 'poison'],
        [1, 'b'],
      ],
      [null, 'late: in place of position 1'],
    ],
    [
      'one that cannot be folded beside one that can',
      [
        [1, 'a'],
        [1, 'b', 'poison'],
        [1, 'c', 'poison'],
      ],
      [null, null, null],
    ],
  ]
  for (const [what, events, expected] of cases) {
    const notes = new ArrivalNotes()
    const found = events.map(([sequence, eventId, poison], i) =>
      notes.of({ sequence, eventId, position: (i + 1) as Position, isPoison: poison !== undefined }),
    )
    t.strictSame(found, expected, what)
  }
})

async function notesOf(t: Parameters<typeof ReplayFixture.open>[0], told: readonly Told[], discarded: readonly number[] = []) {
  const fixture = await ReplayFixture.open(t, ...told)
  const projection = projectionOf('feed')
  for (const position of discarded) await fixture.discard(projection, 'creation/one', position)
  const { log, store } = fixture
  const found = await explain({ projection, kind: 'creation', id: 'one', log, store, scratch: await fixture.scratch(), wholeLog: false })
  return found?.steps.map(({ position, sequence, note, changes }) => [position, sequence, note, changes.length > 0]) ?? []
}

const at = (sequence: number, told: Told): Told => but(told, { sequence })

t.test('a late event stands where it arrived, with what it changed', async (t) => {
  const notes = await notesOf(t, [
    at(3, liked('one', 'ben')),
    registered('ada'),
    at(1, published('one', { by: 'ada' })),
    at(2, edited('one', { title: { en: 'Renamed' } })),
  ])
  t.strictSame(notes, [
    [1, 3, null, true],
    [3, 1, 'late: sequence 1 after 3', true],
    [4, 2, 'late: sequence 2 after 3', true],
  ])
})

t.test('a discarded event is no conflict, and one that cannot be folded counts for what is late', async (t) => {
  const told = [
    registered('ada'),
    at(1, published('one', { by: 'ada' })),
    at(2, edited('one', { title: { en: 'This' } })),
    at(2, edited('one', { title: { en: 'That' } })),
    at(9, poison(played('one'))),
    at(5, played('one')),
  ]
  const found = await notesOf(t, told, [3])
  t.strictSame(found, [
    [2, 1, null, true],
    [3, 2, 'discarded', false],
    [4, 2, null, true],
    [5, 9, 'cannot be folded: version 999 is unknown', false],
    [6, 5, 'late: sequence 5 after 9', true],
  ])
})
