import t from 'tap'
import { PROJECTION_STATES } from '../../src/observe/projection-state.js'
import { FAULTS, faultTable, rowsBelow } from './fault-table.js'

t.test('the page on operating has a row for every fault that is tried', async (t) => {
  t.strictSame([...faultTable().keys()].sort(), [...FAULTS].sort())
})

t.test('and one for every state, as the program describes it', async (t) => {
  const states = Object.entries(PROJECTION_STATES).map(([state, { public: status, meaning, remedy }]) => [
    ...[`\`${state}\``, `\`${status}\``, meaning, remedy?.('NAME') ?? 'nothing'],
  ])
  t.strictSame(rowsBelow('state'), states)
})
