import t from 'tap'
import { UsageError } from '../../src/cli/command.js'
import { momentOf } from '../../src/cli/moment.js'

t.test('a position, or a time; without a zone it is UTC wherever one asks', async (t) => {
  const zone = process.env.TZ
  process.env.TZ = 'Asia/Tokyo'
  t.teardown(() => (zone === undefined ? delete process.env.TZ : Object.assign(process.env, { TZ: zone })))
  const table: [text: string, moment: unknown][] = [
    ['120000', { position: 120_000 }],
    ['2026-10-01', { time: Date.UTC(2026, 9, 1) }],
    ['2026-10-01T08:30', { time: Date.UTC(2026, 9, 1, 8, 30) }],
    ['2026-10-01T08:30:15', { time: Date.UTC(2026, 9, 1, 8, 30, 15) }],
    ['2026-10-01T08:30:15.25Z', { time: Date.UTC(2026, 9, 1, 8, 30, 15, 250) }],
    ['2026-10-01T00:00:00+14:00', { time: Date.UTC(2026, 8, 30, 10) }],
    ['2028-02-29', { time: Date.UTC(2028, 1, 29) }],
  ]
  for (const [text, moment] of table) t.strictSame(momentOf('until', text), moment, text)
  t.equal(momentOf('until', undefined), undefined)
})

t.test('what is no moment is refused, a day that its month does not have too', async (t) => {
  for (const text of ['', 'yesterday', '-5', '2026-02-30', '2026-13-01', '2026-00-10', '2026-10-01T25:00', '2026-10-01T08:30 PST', '1e3'])
    t.throws(() => momentOf('until', text), UsageError, text)
})
