import { spawnSync } from 'node:child_process'
import t from 'tap'
import { bufferPerTick, readableLine } from '../../src/compose/logger.js'

await t.test('lines of one turn go out together', async (t) => {
  const out: string[] = []
  const lines = bufferPerTick({ write: (text) => out.push(text) })
  lines.write('one\n')
  lines.write('two\n')
  t.strictSame(out, [])
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(out, ['one\ntwo\n'])
})

await t.test('any number of loggers have one listener for the end of the process, which hands over what is left of each', async (t) => {
  const program = `
    const before = process.listenerCount('exit')
    const { bufferPerTick } = await import(${JSON.stringify(new URL('../../src/compose/logger.js', import.meta.url).href)})
    const loggers = Array.from({ length: 30 }, () => bufferPerTick({ write: (text) => process.stdout.write(text) }))
    for (const [n, lines] of loggers.entries()) lines.write(n + '\\n')
    process.stdout.write(process.listenerCount('exit') - before + ' more\\n')
    process.exit()`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  t.equal(stdout, `1 more\n${Array.from({ length: 30 }, (_, n) => `${n}\n`).join('')}`)
  t.equal(stderr, '', 'and no warning')
})

await t.test('a line on a terminal reads as text, and nothing in it controls the terminal', async (t) => {
  const line = JSON.stringify({ level: 40, time: 1_000, path: '/\u001b[2J', status: 500, msg: 'refused' })
  t.equal(readableLine(line), '00:00:01.000 WARN  refused path=/·[2J status=500\n')
  const failure = JSON.stringify({ level: 50, time: 0, err: { message: 'no', stack: 'Error: no\n    at x' }, msg: 'failed' })
  t.equal(readableLine(failure), '00:00:00.000 ERROR failed\nError: no\n    at x\n')
})
