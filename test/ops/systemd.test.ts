/** The unit of ops/systemd: as systemd reads it, and its command with its variables. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { VARIABLE_NAMES } from '../../src/compose/config.js'
import { folderWith } from '../adapters/folder.js'
import { Serving } from '../harness/program.js'
import { request } from '../harness/sockets.js'
import { onPath, skipLoudly } from '../servers/binary.js'

const run = promisify(execFile)
const unit = readFileSync('ops/systemd/vitrine.service', 'utf8')
const valuesOf = (name: string): string[] => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

await t.test('systemd knows every setting, and finds little exposed', async (t) => {
  const analyze = await onPath('systemd-analyze')
  if (analyze === null) {
    skipLoudly(t, 'systemd-analyze', 'systemd-analyze is not here: systemd has not read ops/systemd')
    return
  }
  const installed = unit.replace('/usr/bin/node', process.execPath).replace(/^WorkingDirectory=.*$/m, 'WorkingDirectory=/')
  const file = join(folderWith({ 'vitrine.service': installed }), 'vitrine.service')
  const { stderr } = await run(analyze.path, ['verify', '--man=no', file])
  t.notMatch(stderr, 'vitrine.service')
  const misspelt = join(folderWith({ 'vitrine.service': installed.replace('ProtectHome', 'ProtectHomes') }), 'vitrine.service')
  t.match((await run(analyze.path, ['verify', '--man=no', misspelt])).stderr, /Unknown key.+ProtectHomes/)
  const { stdout } = await run(analyze.path, ['security', '--offline=yes', file])
  t.match(stdout, /Overall exposure level for vitrine\.service: [01]\.\d OK/)
})

await t.test('its command serves from a checkout, with its variables', async (t) => {
  const [node, main = '', ...args] = valuesOf('ExecStart')[0]?.split(' ') ?? []
  t.equal(node, '/usr/bin/node')
  t.strictSame(args, ['serve'])
  const state = folderWith()
  const token = 'a token of twenty or more'
  const credentials = folderWith({ 'admin-token': token })
  t.strictSame(valuesOf('LoadCredential'), ['admin-token:/etc/vitrine/admin-token'])
  const variables = valuesOf('Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=', 2) as [string, string]))
  const known = new Set([...VARIABLE_NAMES.flatMap((name) => [name, `${name}_FILE`]), 'NODE_ENV'])
  for (const [name] of variables) t.ok(known.has(name), name)
  const here = (value: string) => value.replace('%d', credentials).replace(`/var/lib/${valuesOf('StateDirectory')[0]}`, state)
  const environment = Object.fromEntries(variables.map(([name, value]) => [name, here(value)]))
  t.equal(environment.DATA_DIR, state, 'the data is where systemd lets it write')
  const serving = await Serving.start(t, state, [], environment, resolve(main))
  await serving.ready()
  t.equal((await request(serving.web, '/docs')).statusCode, 200)
  t.equal(
    (await request(serving.admin, '/board', { headers: { host: 'machine.example', authorization: `Bearer ${token}` } })).statusCode,
    200,
  )
  t.equal(await serving.end('SIGTERM'), 0)
})
