import { spawnSync } from 'node:child_process'
import t from 'tap'
import { bufferPerTick } from '../../src/lib/batched-output.js'

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
    const { bufferPerTick } = await import(${JSON.stringify(new URL('../../src/lib/batched-output.js', import.meta.url).href)})
    const loggers = Array.from({ length: 30 }, () => bufferPerTick({ write: (text) => process.stdout.write(text) }))
    for (const [n, lines] of loggers.entries()) lines.write(n + '\\n')
    process.stdout.write(process.listenerCount('exit') - before + ' more\\n')
    process.exit()`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  t.equal(stdout, `1 more\n${Array.from({ length: 30 }, (_, n) => `${n}\n`).join('')}`)
  t.equal(stderr, '', 'and no warning')
})
