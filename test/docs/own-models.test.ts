/** Runs the examples of docs/own-models.md, in processes that load TypeScript as the program does. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { folderWith } from '../adapters/folder.js'

const LOADER = resolve('dist/src/compose/models/import-module.js')

const GUIDE = await readFile('docs/own-models.md', 'utf8')

/** The example of the guide that holds this text. */
function exampleWith(text: string): string {
  const [, code] = [...GUIDE.matchAll(/```ts\n(.*?)```/gs)].find(([, each]) => each?.includes(text)) ?? []
  if (code === undefined) throw new Error(`the guide has no example with ${text}`)
  return code
}

/** Writes modules into a folder and loads the last one, in a process of its own. */
async function load(t: Test, modules: Record<string, string>): Promise<void> {
  const folder = folderWith()
  for (const [name, code] of Object.entries(modules)) await writeFile(join(folder, name), code)
  const last = join(folder, Object.keys(modules).at(-1) ?? '')
  const script = `const { importModule } = await import('${LOADER}'); await importModule('a program', '${last}')`
  await t.resolves(promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]))
}

t.test('the spec of the guide passes', async (t) => {
  const imports = `import shelves, { getShelf, opened } from '${resolve('examples/shelves/index.ts')}'`
  await load(t, { 'spec.ts': `${imports}\n${exampleWith('erases(shelves')}` })
})

t.test('the counts of the guide count', async (t) => {
  const events = resolve('examples/wishes/events.ts')
  const wishes = (await readFile('examples/wishes/index.ts', 'utf8'))
    .replace('import { addTo,', 'import { addTo, countBy, counts, z,')
    .replace('./events.js', events)
    .replace('const wishes = declared', `${exampleWith('countBy(')}\nconst wishes = declared`)
    .replace('views: [', 'views: [countWished, ')
    .replace('reads: [getWish', 'reads: [listWished, getWish')
  const spec = `
    import { given, happened } from 'vitrine/testing'
    import { made } from '${events}'
    import wishes, { listWished } from './index.ts'
    const wish = (wishId: string, creationId: string) => happened(made, { wishId, creatorId: 'ann', creationId, note: '' })
    await given(wishes, wish('w_1', 'c_1'), wish('w_2', 'c_2'), wish('w_3', 'c_2'))
      .answers(listWished, {}, { items: [{ creationId: 'c_2', count: 2 }, { creationId: 'c_1', count: 1 }] })`
  await load(t, { 'index.ts': wishes, 'spec.ts': spec })
})

t.test('the reservations of the guide', async (t) => {
  const index = `
    import { addTo, CreatorId, declared, defineModels, edge, event, first, id, latest, own, person, state, total, z } from 'vitrine'
    export const made = event({ name: 'wish.made', summary: '', schema: z.object({ wishId: id, creatorId: CreatorId }), example: { wishId: 'w', creatorId: 'ann' } })
    const schema = z.object({ wishId: id, reserverId: CreatorId })
    export const reserved = event({ name: 'wish.reserved', summary: '', schema, example: { wishId: 'w', reserverId: 'bob' } })
    export const released = event({ name: 'wish.released', summary: '', schema, example: { wishId: 'w', reserverId: 'bob' } })
    ${exampleWith("edge('wish'")}
    export default defineModels({ namespace: 'wishes', models: [{ projection: wishes, reads: [] }] })`
  const spec = `
    import { erases, given, happened } from 'vitrine/testing'
    import wishes, { made, released, reserved } from './index.ts'
    const events = [
      happened(made, { wishId: 'a', creatorId: 'ann' }),
      happened(made, { wishId: 'b', creatorId: 'ann' }),
      happened(reserved, { wishId: 'a', reserverId: 'bob' }),
      happened(reserved, { wishId: 'b', reserverId: 'bob' }),
      happened(released, { wishId: 'b', reserverId: 'bob' }),
    ]
    await given(wishes, ...events).then({ wishes: { a: { reserved: 1 }, b: { reserved: 0 } } })
    await given(wishes, ...events, happened('creator.removed', { creatorId: 'bob' })).then({ wishes: { a: { reserved: 0 }, b: {} } })
    await erases(wishes, 'bob', ...events)`
  await load(t, { 'index.ts': index, 'spec.ts': spec })
})

t.test('the mixed order of the guide', async (t) => {
  const index = `
    import { CreatorId, declared, defineModels, event, first, id, latest, list, person, state, z } from 'vitrine'
    const schema = z.object({ wishId: id, creatorId: CreatorId, rank: z.number(), granted: z.boolean() })
    export const made = event({ name: 'wish.made', summary: '', schema, example: { wishId: 'w', creatorId: 'ann', rank: 1, granted: false } })
    ${exampleWith("index('wanted'")}
    const wishes = declared({ name: 'wishes', version: 1, events: [made], keeps: [wish], on: {
      'wish.made': ({ data: { creatorId: by, rank, granted }, time }) => wish({ by, rank, granted, madeAt: new Date(time).toISOString() }),
    } })
    export const listWanted = list(wish, 'wanted', { name: 'list', path: '/{by}', summary: '', fields: ['rank'] })
    export default defineModels({ namespace: 'wishes', models: [{ projection: wishes, reads: [listWanted] }] })`
  const spec = `
    import { given, happened } from 'vitrine/testing'
    import wishes, { listWanted, made } from './index.ts'
    const wish = (wishId: string, rank: number, granted: boolean) => happened(made, { wishId, creatorId: 'ann', rank, granted })
    await given(wishes, wish('a', 1, false), wish('b', 3, true), wish('c', 2, false))
      .answers(listWanted, { by: 'ann' }, { items: [{ rank: 2 }, { rank: 1 }] })`
  await load(t, { 'index.ts': index, 'spec.ts': spec })
})

t.test('the state of the guide that counts goes with its creation', async (t) => {
  const events = resolve('examples/wishes/events.ts')
  const index = (await readFile('examples/wishes/index.ts', 'utf8'))
    .replace('./events.js', events)
    .replace('granted, made', 'made')
    .replace(/const wisher = .*/, '')
    .replace(/const wishes = declared\(.*?\n\}\)/s, exampleWith("'mostWished'"))
    .replace(
      /const fields = .*?(?=export default)/s,
      `export const listMost = list(creation, 'mostWished', {
        name: 'list_most', path: '/most', summary: 'Most wished', fields: ['wishes'], cards: { creation: 'creationId' } })\n`,
    )
    .replace(/reads: \[getWish.*?\]/, 'reads: [listMost]')
  const spec = `
    import { erases, given, happened } from 'vitrine/testing'
    import { made } from '${events}'
    import wishes, { listMost } from './index.ts'
    const wish = (wishId: string, creationId: string) => happened(made, { wishId, creatorId: 'ann', creationId, note: '' })
    const publish = (creationId: string) => happened('creation.published', { creationId, creatorId: 'bob', kind: 'app', slug: creationId,
      title: { en: 'A' }, description: { en: 'A' }, category: 'games', tags: [], coverUrl: null, remixOf: null })
    const all = given(wishes, publish('c_1'), publish('c_2'), wish('w_1', 'c_1'), wish('w_2', 'c_2'), wish('w_3', 'c_2'))
    await all.answers(listMost, {}, { items: [{ wishes: 2 }, { wishes: 1 }] })
    const { items } = await all.when(happened('creation.removed', { creationId: 'c_2' })).answers(listMost, {}, { items: [{ wishes: 1 }] })
    if (items.length !== 1) throw new Error('it stays')`
  await load(t, { 'index.ts': index, 'spec.ts': spec })
})

t.test('the read of the guide', async (t) => {
  const index = (await readFile('examples/shelves/index.ts', 'utf8'))
    .replace(' z }', ' z, notFound, read }')
    .replace('export default', `${exampleWith('getTitles')}\nexport default`)
    .replace('reads: [', 'reads: [getTitles, ')
  const spec = `
    import { given, happened } from 'vitrine/testing'
    import shelves, { getTitles, opened } from './index.ts'
    const one = given(shelves, happened(opened, { shelfId: 's_1', creatorId: 'ann', title: 'Rain' }))
    await one.answers(getTitles, { ids: 's_1,s_2' }, { titles: ['Rain'] })
    await one.answers(getTitles, { ids: 's_2' }, null)
    await one.when(happened('creator.removed', { creatorId: 'ann' })).answers(getTitles, { ids: 's_1' }, null)`
  await load(t, { 'index.ts': index, 'spec.ts': spec })
})
