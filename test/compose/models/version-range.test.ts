import t from 'tap'
import { isInRange } from '../../../src/compose/models/version-range.js'

const CASES: [version: string, range: string, expected: boolean | null][] = [
  ['1.2.3', '*', true],
  ['1.2.3', '1', true],
  ['2.0.0', '1.x', false],
  ['1.2.3', '1.2', true],
  ['1.3.0', '1.2', false],
  ['1.2.3', '1.2.3', true],
  ['1.2.4', '1.2.3', false],
  ['1.9.0', '^1.2.0', true],
  ['1.1.9', '^1.2.0', false],
  ['2.0.0', '^1.2.0', false],
  ['0.1.5', '^0.1.0', true],
  ['0.2.0', '^0.1.0', false],
  ['0.0.2', '^0.0.1', false],
  ['0.1.0', '^0.1.0 || ^1.0.0', true],
  ['1.4.0', '^0.1.0 || ^1.0.0', true],
  ['1.2.9', '~1.2.0', true],
  ['1.3.0', '~1.2.0', false],
  ['1.5.0', '>=1.0.0 <2', true],
  ['2.0.0', '>=1.0.0 <2', false],
  ['1.2.9', '<=1.2', true],
  ['1.2.9', '>1.2', false],
  ['1.0.0-rc.1', '^1.0.0', true],
  ['1.0.0', 'latest', null],
  ['1.0.0', '', true],
  ['1.5.0', '>= 1.0.0 < 2', true],
  ['2.0.0', '>= 1.0.0 < 2', false],
  ['1.5.0', '1.0.0 - 2.0.0', true],
  ['2.0.1', '1.0.0 - 2.0.0', false],
  ['2.9.0', '1 - 2', true],
  ['1.0.0', 'workspace:*', true],
  ['1.0.0', 'workspace:^', true],
  ['1.0.0', 'workspace:^2.0.0', false],
  ['1.0.0', 'file:../vitrine', null],
]

t.test('ranges as npm writes them', async (t) => {
  for (const [version, range, expected] of CASES) t.equal(isInRange(version, range), expected, `${version} in "${range}"`)
})
