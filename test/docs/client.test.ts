/** The page on the client: its code runs. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { folderWith } from '../adapters/folder.js'
import { runningService } from '../client/running.js'
import { vitrine } from '../harness/command.js'

const PAGE = readFileSync('docs/client.md', 'utf8')

await t.test('the code on the page runs, from its first line to its last', async (t) => {
  const { apiUrl, webUrl } = await runningService(t)
  const blocks = [...PAGE.matchAll(/```ts\n(.+?)```/gs)].map(([, code = '']) => code)
  t.equal(blocks.length, 7)
  // The page reads the demo, this test a smaller community.
  const code = blocks.join('\n').replaceAll("'haeunoh'", "'ben'")
  const program = code.replaceAll('http://127.0.0.1:3000', apiUrl).replaceAll('http://127.0.0.1:3001', webUrl)
  const { stdout: api } = await vitrine(['client'])
  // Node 20 cannot read types: what is printed for it is the table alone.
  const table = `export ${api.slice(api.indexOf('const operations')).replace(': OperationTable<Operations>', '')}`
  const folder = folderWith({ 'program.mjs': program, 'api.js': table, 'package.json': '{"type":"module"}' })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'vitrine'))
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(folder, 'program.mjs')])
  t.equal(stderr, '')
  t.match(stdout, /No creator has this handle\./)
  t.match(stdout, /^\S+ queued$/m)
  t.match(stdout, /^\S+ completed$/m)
})
