import { spawnSync } from 'node:child_process'
import t from 'tap'
import { readableLine } from '../../src/compose/logger.js'

await t.test('no line is lost when the process or a thread exits, and any number of loggers do without a warning', async (t) => {
  const program = `
    import { isMainThread, Worker } from 'node:worker_threads'
    import { createLogger } from ${JSON.stringify(new URL('../../src/compose/logger.js', import.meta.url).href)}
    const loggers = Array.from({ length: 30 }, () => createLogger({ LOG_LEVEL: 'info' }))
    const log = () => loggers.forEach((logger, n) => logger.info((isMainThread ? 'process ' : 'thread ') + n))
    const end = () => {
      log()
      process.exit()
    }
    if (isMainThread) new Worker(new URL(process.env.PROGRAM)).once('exit', end)
    else end()`
  const url = `data:text/javascript,${encodeURIComponent(program)}`
  const start = ['--input-type=module', '-e', 'await import(process.env.PROGRAM)']
  const { stderr } = spawnSync(process.execPath, start, { encoding: 'utf8', env: { ...process.env, PROGRAM: url } })
  const numbered = (where: string) => Array.from({ length: 30 }, (_, n) => `${where} ${n}`)
  const messages = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
  t.strictSame(messages.toSorted(), [...numbered('process'), ...numbered('thread')].toSorted())
})

await t.test('a line on a terminal reads as text, and nothing in it controls the terminal', async (t) => {
  const line = JSON.stringify({ level: 40, time: 1_000, path: '/\u001b[2J', status: 500, msg: 'refused' })
  t.equal(readableLine(line), '00:00:01.000 WARN  refused path=/\\u001b[2J status=500\n')
  const forged = JSON.stringify({ level: 30, time: 0, who: 'x\n00:00:00.000 INFO  all is well\u202e\u009b31m', msg: 'a\u2028b' })
  t.equal(
    readableLine(forged),
    '00:00:00.000 INFO  a\\u2028b who=x\\u000a00:00:00.000 INFO  all is well\\u202e\\u009b31m\n',
    'or adds a line of its own',
  )
  const failure = JSON.stringify({ level: 50, time: 0, err: { message: 'no', stack: 'Error: no\n    at x' }, msg: 'failed' })
  t.equal(readableLine(failure), '00:00:00.000 ERROR failed\n  Error: no\n      at x\n')
})
