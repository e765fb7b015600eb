import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folderWith } from '../adapters/folder.js'
import { vitrine } from '../harness/command.js'
import { Service } from '../harness/service.js'

const { stdout: own } = await vitrine(['client'])

const source = readFileSync('src/client/operations.ts', 'utf8')
const table = source.slice(source.indexOf('export const'))

await t.test('it prints the types of this installation', async (t) => {
  t.match(own, /^export interface Operations \{$/m)
  t.ok(own.includes(readFileSync('dist/src/client/api.d.ts', 'utf8')), 'which the package has')
  t.ok(own.endsWith(table), 'and where they are, which the client has')
})

await t.test('or those of another one, from a file or an address', async (t) => {
  t.strictSame(await vitrine(['client', '--from', 'docs/openapi.json']), { code: 0, signal: null, stdout: own, stderr: '' })
  const service = await Service.start(t)
  const url = `http://127.0.0.1:${await service.listen(service.web)}`
  t.strictSame(await vitrine(['client', '--from', `${url}/openapi.json`]), { code: 0, signal: null, stdout: own, stderr: '' })
  t.match(await vitrine(['client', '--from', `${url}/nothing-here`]), { code: 2, stdout: '', stderr: /answers with 404\n$/ })
})

await t.test('what cannot be used gets one line', async (t) => {
  const folder = folderWith({
    'text.json': 'openapi: 3.1.0',
    'list.json': '[]',
    'other.json': JSON.stringify({ openapi: '3.1.0', paths: { '/pets': { get: { operationId: 'listPets' } } }, components: {} }),
    'odd.json': JSON.stringify({ paths: { '/x': { get: { operationId: 7 } } }, components: {} }),
    'loose.json': JSON.stringify({ paths: { '/x': { get: { operationId: 'x', 'x-service-operation': 'x' } } }, components: {} }),
  })
  for (const [from, why] of [
    [join(folder, 'text.json'), /is not JSON/],
    [join(folder, 'list.json'), /cannot use .*expected object/],
    [join(folder, 'other.json'), /describes no public read/],
    [join(folder, 'odd.json'), /cannot use .*expected string/],
    [join(folder, 'loose.json'), /x does not answer with the success envelope/],
    [join(folder, 'missing.json'), /ENOENT/],
    ['http://127.0.0.1:1/openapi.json', /cannot read http:.*: /],
  ] as const) {
    const { code, stdout, stderr } = await vitrine(['client', '--from', from])
    t.match({ code, stdout }, { code: 2, stdout: '' }, from)
    t.match(stderr, why)
    t.equal(stderr.split('\n').length, 2, stderr)
  }
})
