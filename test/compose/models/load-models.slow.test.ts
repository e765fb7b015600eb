/** Where custom models are found, and what their package.json must say. In processes of their own: modules are loaded once only. */

import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { folderWith } from '../../adapters/folder.js'

const MAIN = resolve('dist/src/main.js')
const SOURCE = `
import { declared, defineModels, event, id, state, z } from 'vitrine'
const planted = event({ name: 'bed.planted', summary: 'Planted.', schema: z.object({ bedId: id }), example: { bedId: 'b_1' } })
const bed = state('bed', {}, { name: 'beds' })
const gardens = declared({ name: 'gardens', version: 1, events: [planted], keeps: [bed], on: { 'bed.planted': () => bed({}) } })
export default defineModels({ namespace: 'gardens', models: [{ projection: gardens }] })
`
const exporting = (exports: unknown, vitrine = '*') => JSON.stringify({ type: 'module', exports, peerDependencies: { vitrine } })
const PEER = exporting('./models.ts')

/** What `vitrine models` says there. */
async function modelsIn(cwd: string, env: Record<string, string> = {}): Promise<{ code: number; text: string }> {
  const options = { cwd, env: { PATH: process.env.PATH ?? '', ...env } }
  return promisify(execFile)(process.execPath, [MAIN, 'models'], options).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
  )
}

const PLACES: Record<string, [files: Record<string, string>, env?: Record<string, string>]> = {
  'a folder': [{ 'mine/models.ts': SOURCE, 'mine/package.json': PEER }, { MODELS: './mine' }],
  'a package': [{ 'node_modules/@me/gardens/models.ts': SOURCE, 'node_modules/@me/gardens/package.json': PEER }, { MODELS: '@me/gardens' }],
  'a module under main': [
    {
      'mine/models.ts': SOURCE,
      'mine/package.json': JSON.stringify({ type: 'module', main: './models.ts', peerDependencies: { vitrine: '*' } }),
    },
    { MODELS: './mine' },
  ],
  'a module under a condition': [
    { 'mine/models.ts': SOURCE, 'mine/package.json': exporting({ types: './models.d.ts', import: './models.ts' }) },
    { MODELS: './mine' },
  ],
  'a module under conditions within a condition': [
    { 'mine/models.ts': SOURCE, 'mine/package.json': exporting({ '.': { import: { types: './models.d.ts', default: './models.ts' } } }) },
    { MODELS: './mine' },
  ],
  'a folder for the version of its workspace': [
    { 'mine/models.ts': SOURCE, 'mine/package.json': exporting('./models.ts', 'workspace:^') },
    { MODELS: './mine' },
  ],
  'a folder for any version': [{ 'mine/models.ts': SOURCE, 'mine/package.json': exporting('./models.ts', '') }, { MODELS: './mine' }],
  'a file': [{ 'models.ts': SOURCE }, { MODELS: './models.ts' }],
  'a folder that vitrine.config.ts names': [
    { 'mine/models.ts': SOURCE, 'mine/package.json': PEER, 'vitrine.config.ts': `export default { models: './mine' }` },
  ],
  'what vitrine.config.ts imports': [
    { 'models.ts': SOURCE, 'vitrine.config.ts': `import gardens from './models.js'\nexport default { models: [gardens] }` },
  ],
  'a folder that .env names': [{ 'mine/models.ts': SOURCE, 'mine/package.json': PEER, '.env': 'MODELS=./mine' }],
}

for (const [what, [files, env]] of Object.entries(PLACES))
  t.test(`found: ${what}`, async (t) => {
    const { code, text } = await modelsIn(folderWith(files), env)
    t.equal(code, 0, text)
    t.match(text, /^gardens +v1 +custom/m)
    t.match(text, 'Custom event types: bed.planted.v1.')
  })

const broken = (manifest: object, source = SOURCE): Record<string, string> => ({
  'mine/models.ts': source,
  'mine/package.json': JSON.stringify({ type: 'module', exports: './models.ts', ...manifest }),
})

const REFUSED: Record<string, [files: Record<string, string>, message: RegExp]> = {
  'nothing there': [{}, /MODELS: there is nothing at \.\/mine/],
  'no package.json': [{ 'mine/index.ts': SOURCE }, /needs a package.json with vitrine as a peer dependency/],
  'no peer dependency': [broken({}), /must name vitrine under "peerDependencies"/],
  'a copy of its own': [
    broken({ dependencies: { vitrine: '*' }, peerDependencies: { vitrine: '*' } }),
    /must name vitrine under "peerDependencies"/,
  ],
  'another version': [broken({ peerDependencies: { vitrine: '^99.0.0' } }), /was written for vitrine \^99.0.0, and this is /],
  'another version of its workspace': [broken({ peerDependencies: { vitrine: 'workspace:^99.0.0' } }), /was written for vitrine workspace/],
  'a range that is none': [broken({ peerDependencies: { vitrine: 'latest' } }), /cannot read the range "latest" of its peer dependency/],
  'no module': [broken({ peerDependencies: { vitrine: '*' }, exports: './nowhere.ts' }), /there is no .\/nowhere.ts/],
  'no module to import': [
    broken({ peerDependencies: { vitrine: '*' }, exports: { require: './models.ts' } }),
    /the "exports" of its package.json name no module for "import" or "default"/,
  ],
  'peer dependencies of another form': [broken({ peerDependencies: ['vitrine'] }), /cannot read its package.json: peerDependencies: /],
  'no models': [broken({ peerDependencies: { vitrine: '*' } }, 'export default 1'), /must be what defineModels\(\) returns/],
  'a broken module': [broken({ peerDependencies: { vitrine: '*' } }, 'export default const'), /cannot load \.\/mine: line 1/],
  'a rule broken': [
    broken({ peerDependencies: { vitrine: '*' } }, SOURCE.replace("'bed.planted': ()", "'bed.plnted': ()")),
    /handles "bed.plnted", which is no event type/,
  ],
}

for (const [what, [files, message]] of Object.entries(REFUSED))
  t.test(`refused: ${what}`, async (t) => {
    const { code, text } = await modelsIn(folderWith(files), { MODELS: './mine' })
    t.equal(code, 2)
    t.match(text, message)
    t.equal(text.trim().split('\n').length, 1, 'in one line')
  })

t.test('a package that is not installed is named', async (t) => {
  t.match(await modelsIn(folderWith({}), { MODELS: 'gardens' }), { code: 2, text: 'there is no package "gardens"' })
})

t.test('another default export of vitrine.config.ts is refused', async (t) => {
  const folder = folderWith({ 'vitrine.config.ts': 'export default { port: 1 }' })
  t.match(await modelsIn(folder), { code: 2, text: 'vitrine.config.ts: export default { models: … }' })
})
