import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { fitted } from '../../src/cli/screen.js'
import { eventually } from '../contracts/subject.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { played } from '../spec/events.js'
import { Script } from '../spec/script.js'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))

t.test('status --watch goes on until it is interrupted', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  await folder.append(script.write(...COMMUNITY))
  await folder.project()
  const child = spawn(process.execPath, [MAIN, 'status', '--watch', '--data-dir', folder.path], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  let shown = ''
  child.stdout.on('data', (chunk) => (shown += chunk))
  await eventually(async () => shown.includes(`The log holds positions 1 to ${COMMUNITY.length}.`))
  await folder.append(script.write(played('tides')))
  await eventually(async () => shown.includes(`The log holds positions 1 to ${COMMUNITY.length + 1}.`))
  child.kill('SIGINT')
  t.strictSame(await exit, [0, null])
})

t.test('a screenful', async (t) => {
  const plain = (screen: string) => screen.replaceAll('\u001b[H', '').replaceAll('\u001b[K', '').replaceAll('\u001b[J', '')
  t.equal(plain(fitted('one\ntwo', 80, 24)), 'one\ntwo')
  t.equal(plain(fitted('a long line\nsecond', 6, 24)), 'a long\nsecond', 'nothing wraps')
  t.equal(plain(fitted('1\n2\n3\n4', 80, 3)), '1\n2', 'nothing scrolls')
  t.equal(plain(fitted('x', 80, 1)), 'x', 'however small the window')
})
