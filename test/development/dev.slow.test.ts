/** `npm run dev`: what is edited is served, and what cannot be served is told. */
import { join } from 'node:path'
import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { Serving, spawnVitrine, takenPort } from '../harness/program.js'
import { eventually } from '../ports/subject.js'
import { childrenOf, isThere } from '../support/linux-processes.js'
import { copyCheckout, Development, hosts } from './development.js'

const data = await DataFolder.of(t, ...COMMUNITY)
const folder = await copyCheckout()
const other = await Serving.start(t, data.path)
await other.ready()
await other.end('SIGTERM')
const development = Development.start(t, folder, data.path, await hosts())
const { api, web } = development.hosts
/** Empty while the program is being replaced. */
const read = async (port: number, path: string): Promise<string> => {
  try {
    return await (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  } catch {
    return ''
  }
}
const shows = (port: number, path: string, what: string) => eventually(async () => (await read(port, path)).includes(what))
await development.says('Changes are served as you save them.')

await t.test('takes over the models of another program', async (t) => {
  t.notMatch(development.printed, 'Rebuilding')
})

await t.test('serves an edited page', async (t) => {
  t.match(await read(web, '/'), 'Small software,')
  await development.edit('content/pages/en.ts', (text) => text.replace('Small software,', 'Words of the test,'))
  await shows(web, '/', 'Words of the test,')
})

await t.test('serves an edited document', async () => {
  await development.edit('CHANGELOG.md', (text) => text.replace(/^- /m, '- A line of the test. '))
  await shows(web, '/changelog', 'A line of the test.')
})

/** Between two strings, so that every edit is another one. */
const relabel = (before: string, after: string) =>
  development.edit('projections/tags/index.ts', (text) =>
    text.replace(/label: .*?, count/, `label: '${before}' + tagLabel(key) + '${after}', count`),
  )

await t.test('rebuilds an edited model of the same version, and again', async () => {
  await relabel('edited ', '')
  await shows(api, '/public/share/tags', '"label":"edited ')
  await relabel('edited ', '!')
  await shows(api, '/public/share/tags', '!"')
})

await t.test('a function that a declaration calls is not looked into: a rebuild by hand takes it', async (t) => {
  const before = development.printed.length
  await development.edit('readmodels/tags/tag-key.ts', (text) => text.replace("replaceAll('-', ' ')", "replaceAll('-', ' ').concat('?')"))
  await development.says('Serving readmodels/tags/tag-key.ts', before)
  t.notMatch(development.printed.slice(before), 'Rebuilding')
  const main = join(folder, '.dev/src/main.js')
  t.match(await spawnVitrine(['rebuild', 'tags', '--data-dir', data.path], { main }), { code: 0 })
  await shows(api, '/public/share/tags', '?!"')
})

await t.test('names what cannot be compiled, and goes on serving', async (t) => {
  const before = development.printed.length
  await development.edit('src/lib/signals.ts', (text) => `${text}const broken: = 3\n`)
  await development.says(/src\/lib\/signals\.ts:\d+:\d+: .*\nServing what was there before/, before)
  t.match(await read(api, '/public/share/tags'), '"label":"edited ')
  await development.restore('src/lib/signals.ts')
  await development.says('Serving src/lib/signals.ts', before)
})

await t.test('goes on serving without a folder that is still imported, and takes many changes at once', async (t) => {
  const before = development.printed.length
  await development.delete('readmodels/tags')
  await development.says(/ERR_MODULE_NOT_FOUND[\s\S]*Serving what was there before/, before)
  t.match(await read(api, '/public/share/tags'), '?!"', 'with what was there')
  await Promise.all(['readmodels/tags', 'projections/tags/index.ts', 'content/pages/en.ts'].map((path) => development.restore(path)))
  await shows(api, '/public/share/tags', '"label":"sea"')
  await shows(web, '/', 'Small software,')
  await relabel('', '?')
  await shows(api, '/public/share/tags', '"label":"sea?"')
})

await t.test('a second one is refused', async (t) => {
  const second = Development.start(t, folder, data.path, await hosts())
  t.equal(await second.end(), 2)
  t.match(second.printed, `running here already, as process ${development.pid}`)
})

await t.test('Ctrl+C leaves nothing behind', async (t) => {
  const children = childrenOf(development.pid)
  t.ok(children.length > 0)
  t.equal(await development.end('SIGINT'), 0)
  await eventually(async () => !children.some(isThere))
  t.notOk(development.hasOutput)
})

await t.test('ends if a port is taken', async (t) => {
  const taken = await takenPort(t)
  const refused = Development.start(t, folder, data.path, { ...(await hosts()), web: taken })
  t.equal(await refused.end(), 2)
  t.match(refused.printed, `port ${taken} is taken`)
  t.notOk(refused.hasOutput)
})
