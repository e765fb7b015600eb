/** What TypeScript says of the packed client: where it helps, where it refuses, and that it needs no types of Node and of zod. */
import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { printClientModule } from '../../src/discovery/client/client-module.js'
import { folderWith } from '../adapters/folder.js'
import { vitrine } from '../harness/command.js'

/** A page's program: no types of Node, and stricter than we are. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', 'es2024.string', 'dom'],
    module: 'nodenext',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    paths: { 'vitrine/client': [resolve('dist/src/client/index.d.ts')] },
  },
  files: ['page.ts'],
}

/** Resolves with what the compiler complains of; an empty list is good. */
async function complaints(files: Record<string, string>, options: object = {}): Promise<string[]> {
  const tsconfig = { ...TSCONFIG, compilerOptions: { ...TSCONFIG.compilerOptions, ...options } }
  const folder = folderWith({ ...files, 'tsconfig.json': JSON.stringify(tsconfig), 'package.json': '{"type":"module"}' })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const tsc = resolve('node_modules/.bin/tsc')
  return promisify(execFile)(tsc, ['-p', folder, '--pretty', 'false']).then(
    () => [],
    ({ stdout }: { stdout: string }) => stdout.split('\n').filter((line) => line !== ''),
  )
}

const EQUAL = `
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Equal<A, B>): void => {}
`

const BUILT_IN = `
import { type AppShare, ApiError, type BatchResult, type CommunityFeedPage, type Creation, createClient, type CreatorProfile, type PopularTags } from 'vitrine/client'
${EQUAL}
const vitrine = createClient({ apiUrl: 'https://api.example', webUrl: 'https://web.example' })

const feed = await vitrine.getCommunityFeed({ sort: 'trending', category: undefined })
same<typeof feed, CommunityFeedPage>(true)
same<Awaited<ReturnType<typeof vitrine.getPopularTags>>, PopularTags>(true)
await vitrine.getCommunityFeed()
await vitrine.getAppShare({ handle: 'a', slug: 'b' }, { minPosition: 7, signal: AbortSignal.timeout(1) })

for await (const item of vitrine.items('getCommunityFeed', { limit: 48 })) same<typeof item, Creation>(true)
for await (const page of vitrine.pages('getCommunityFeed')) same<typeof page, CommunityFeedPage>(true)

const { tags, who, share } = await vitrine.batch({
  tags: { operation: 'getPopularTags' },
  who: { operation: 'getCreatorProfile', arguments: { handle: 'a' } },
  share: { operation: 'getAppShare', arguments: { handle: 'a', slug: 'b' } },
})
same<typeof tags, BatchResult<PopularTags>>(true)
same<typeof share, BatchResult<AppShare>>(true)
if (who.ok) same<typeof who.data, CreatorProfile>(true)
else if (who.error.error === 'not_found') console.log(who.error.details)

for await (const event of vitrine.askStream({ query: 'why?', prefer: { mode: 'list' } })) {
  if (event.message_type === 'result') console.log(event.item.name)
  if (event.message_type === 'complete') console.log(event.answer)
  // @ts-expect-error only the last event has an answer
  console.log(event.answer)
}

const failed = new Error()
if (failed instanceof ApiError) {
  // @ts-expect-error no error has this name
  console.log(failed.error === 'not_foudn')
}
// @ts-expect-error no such sort
await vitrine.getCommunityFeed({ sort: 'newest' })
// @ts-expect-error no such argument
await vitrine.getCommunityFeed({ page: 2 })
// @ts-expect-error a handle is needed
await vitrine.getCreatorProfile()
// @ts-expect-error no arguments here
await vitrine.getPopularTags({ limit: 3 })
// @ts-expect-error not in pages
vitrine.items('getPopularTags')
// @ts-expect-error not in pages, either
vitrine.items('getCreatorFollowers', { handle: 'a' })
// @ts-expect-error no such operation
await vitrine.batch({ a: { operation: 'getCommunityfeed' } })
// @ts-expect-error a handle is needed
await vitrine.batch({ a: { operation: 'getCreatorProfile' } })
// @ts-expect-error arguments of another operation
await vitrine.batch({ a: { operation: 'getCreatorProfile', arguments: { handle: 'a', sort: 'recent' } } })
// @ts-expect-error no such method
vitrine.getReviews()
// @ts-expect-error both hosts are needed
createClient({ apiUrl: 'https://api.example' })
`

await t.test('the built-in reads, in the example and in a page', async (t) => {
  const example = `import '${resolve('examples/client.mjs')}'\ndeclare global { var process: { env: Record<string, string> } }\n`
  t.strictSame(await complaints({ 'page.ts': `${example}${BUILT_IN}` }), [])
})

await t.test('the package has the types that the sources have', async (t) => {
  const packed = resolve('dist/src/client/api.d.ts')
  const names = [...readFileSync(packed, 'utf8').matchAll(/^export interface (\w+)/gm)].map(([, name]) => name)
  t.ok(names.includes('Operations'))
  const page = [
    `import type * as packed from '${packed}'`,
    `import type * as inferred from '${resolve('src/client/api.ts')}'`,
    ...[EQUAL, ...names.map((name) => `same<packed.${name}, inferred.${name}>(true)`)],
  ]
  // The sources are not as strict, and need the types of Node.
  const options = { exactOptionalPropertyTypes: false, skipLibCheck: true, types: ['node'] }
  t.strictSame(await complaints({ 'page.ts': page.join('\n') }, options), [])
})

const OWN = `
import { createClient } from 'vitrine/client'
import { type Operations, operations } from './api.js'
${EQUAL}
interface Review { text: string }
interface More extends Operations {
  xListReviews: { arguments: { slug: string; cursor?: string }; result: { items: Review[]; next_cursor: string | null } }
}
const vitrine = createClient({ apiUrl: 'https://api.example', webUrl: 'https://web.example', operations })
same<Awaited<ReturnType<typeof vitrine.getAppShare>>, Operations['getAppShare']['result']>(true)
// @ts-expect-error not one of this installation
vitrine.xListReviews({ slug: 'a' })

const more = createClient<More>({
  apiUrl: 'https://api.example',
  webUrl: 'https://web.example',
  operations: { ...operations, xListReviews: { name: 'x_list_reviews', path: '/public/share/x/reviews/{slug}' } },
})
for await (const review of more.items('xListReviews', { slug: 'a' })) same<typeof review, Review>(true)
const { all } = await more.batch({ all: { operation: 'xListReviews', arguments: { slug: 'a' } } })
if (all.ok) same<typeof all.data.items, Review[]>(true)
// @ts-expect-error a slug is needed
more.xListReviews({})
// @ts-expect-error here, too
more.items('xListReviews')
`

await t.test('what "vitrine client" prints', async (t) => {
  const { code, stdout, stderr } = await vitrine(['client'])
  t.match({ code, stderr }, { code: 0, stderr: '' })
  t.strictSame(await complaints({ 'api.ts': stdout, 'page.ts': OWN }), [])
})

/** A document of somebody else, who would like to run something on the machine of its reader. */
const NASTY = `*/ globalThis.leaked = 1 /* ' " \\ \u2028`
const HOSTILE = {
  paths: {
    [`/${NASTY}`]: {
      get: {
        operationId: NASTY,
        description: NASTY,
        'x-service-operation': NASTY,
        parameters: [{ name: NASTY, in: 'query', description: NASTY, schema: { enum: [NASTY], default: NASTY } }],
        responses: {
          200: { content: { 'application/json': { schema: { properties: { data: { $ref: `#/components/schemas/${NASTY}` } } } } } },
        },
      },
    },
    '/page': { get: { operationId: 'getPage', responses: { 200: { content: { 'text/html': {} } } } } },
    '/proto': {
      get: {
        operationId: '__proto__',
        'x-service-operation': 'class',
        responses: {
          200: { content: { 'application/json': { schema: { properties: { data: { $ref: '#/components/schemas/Either' } } } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      [NASTY]: { description: NASTY, properties: { [NASTY]: { const: NASTY }, constructor: { type: 'class' } } },
      Either: { anyOf: ['a', 'b'].map((name) => ({ type: 'object', properties: { [name]: { description: NASTY } } })) },
    },
  },
}

await t.test('texts of a document stay texts', async (t) => {
  const page = `import * as all from './api.js'\n${EQUAL}same<keyof typeof all, 'operations'>(true)\nconst either: all.Either = { b: 7 }\n`
  t.strictSame(await complaints({ 'api.ts': printClientModule(HOSTILE), 'page.ts': page }), [])
})

await t.test('a mistake is found', async (t) => {
  t.match(await complaints({ 'page.ts': 'const wrong: string = 7\n' }), [/TS2322/])
})
