import { execFileSync } from 'node:child_process'
import t from 'tap'
import { backgroundProcessFlags, gcFlags } from '../../src/compose/gc-flags.js'

const cases: [processors: number, threads: number][] = [
  [1, 1],
  [2, 1],
  [3, 2],
  [8, 7],
  [64, 7],
]

for (const [processors, threads] of cases)
  t.test(`of ${processors} processors ${threads} may be looking for garbage`, async (t) => {
    const [marking, ...others] = gcFlags(processors, false)
    t.equal(marking, `--concurrent-marking-max-worker-num=${threads}`)
    t.strictSame(others, processors <= 2 ? ['--no-parallel-scavenge'] : [], 'with few processors a pause does not wait for helper threads')
    const beside = gcFlags(processors, true)
    if (processors <= 2) t.strictSame(beside, ['--no-concurrent-marking', ...others], 'none beside a database that needs it')
    else t.strictSame(beside, gcFlags(processors, false))
  })

t.test('a process in the background has no threads beside its own where processors are few', async (t) => {
  t.strictSame([1, 2, 3, 8].map(backgroundProcessFlags), [['--single-threaded'], ['--single-threaded'], [], []])
})

t.test('V8 knows these flags', async (t) => {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  t.match(options, '--concurrent-marking ')
  t.match(options, '--concurrent-marking-max-worker-num')
  t.match(options, '--parallel-scavenge ')
  t.match(options, '--single-threaded ')
})
