import { execFileSync } from 'node:child_process'
import t from 'tap'
import { markingFlag } from '../../src/marking-threads.js'

const cases: [processors: number, threads: number][] = [
  [1, 1],
  [2, 1],
  [3, 2],
  [8, 7],
  [64, 7],
]

for (const [processors, threads] of cases)
  t.test(`of ${processors} processors ${threads} may be looking for garbage`, async (t) => {
    t.equal(markingFlag(processors, false), `--concurrent-marking-max-worker-num=${threads}`)
    const beside = markingFlag(processors, true)
    if (processors <= 2) t.equal(beside, '--no-concurrent-marking', 'none beside a database that needs it')
    else t.equal(beside, markingFlag(processors, false))
  })

t.test('V8 knows these flags', async (t) => {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  t.match(options, '--concurrent-marking ')
  t.match(options, '--concurrent-marking-max-worker-num')
})
