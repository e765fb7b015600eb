/**
 * No pattern takes longer than linear time, unless its input is bounded. `npm test` checks this; nothing is checked while the
 * service runs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Token, tokenizer } from 'acorn'
import { analyse } from 'scslre'
import t from 'tap'
import { findSlowText } from './pump.js'

/** The compiled program: it has the literals of the sources, and JavaScript is easy to read. */
const COMPILED = fileURLToPath(new URL('../../', import.meta.url))
const FOLDERS = ['src', 'readmodels', 'projections', 'content']

/** Files whose patterns see only short texts, or texts of our own, with the bound. */
const BOUNDED: Readonly<Record<string, string>> = {
  'content/ask/patterns/': 'a question, condensed to 320 characters',
  'src/ask/parse/': 'a question, condensed to 320 characters; `guard.ts` sees 2,000',
  'src/ask/retrieve/documentation.js': 'our own documentation',
  'src/ask/retrieve/': 'a question, condensed to 320 characters',
  'src/ask/answer/rephrase.js': 'an answer of the language model, whose length is bounded',
  'src/client/addresses.js': 'the address that the program itself gives to its client',
  'src/http/web/pages/': 'our own documents',
  'src/mcp/docs/docs-pages.js': 'our own documents',
}

/** Files that put patterns together, which are not looked at here. */
const CONSTRUCTED: Readonly<Record<string, string>> = {
  'src/adapters/mongo/connection.js': 'sees the configuration',
  'src/mcp/product-resources.js': 'anchored, and every part ends at a slash',
  'src/testing/erases.js': 'runs in tests of custom models',
}

const filesIn = (folder: string): string[] =>
  readdirSync(COMPILED + folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)

const literalsIn = (file: string): { file: string; pattern: RegExp }[] =>
  [...tokenizer(readFileSync(COMPILED + file, 'utf8'), { ecmaVersion: 'latest', sourceType: 'module' })].flatMap((token) =>
    // acorn's types leave out the value of a token.
    token.type.label === 'regexp' ? [{ file, pattern: (token as Token & { value: { value: RegExp } }).value.value }] : [],
  )

const isSuperLinear = (pattern: RegExp): boolean =>
  analyse({ source: pattern.source, flags: pattern.flags }).reports.length > 0 || findSlowText(pattern) !== null

const files = FOLDERS.flatMap(filesIn)
const superLinear = files.flatMap(literalsIn).filter(({ pattern }) => isSuperLinear(pattern))
const boundOf = (file: string): string | undefined => Object.keys(BOUNDED).find((place) => file.startsWith(place))

await t.test('the check finds what it should', async (t) => {
  const slow = [/\[\s*\{.*\}\s*\]$/s, /^(a+)+$/, /\s+$/, /^.*;.*;x$/]
  for (const pattern of slow) t.ok(isSuperLinear(pattern), String(pattern))
  for (const pattern of [/^\d{1,15}$/, /[a-z]+/g, /^"[^"]*"$/]) t.notOk(isSuperLinear(pattern), String(pattern))
})

await t.test('every pattern is linear, or sees only short texts', async (t) => {
  t.ok(files.flatMap(literalsIn).length > 400)
  t.strictSame(
    superLinear.filter(({ file }) => boundOf(file) === undefined).map(({ file, pattern }) => `${file}: ${pattern}`),
    [],
  )
})

await t.test('every bound is still needed', async (t) => {
  const used = new Set(superLinear.map(({ file }) => boundOf(file)))
  t.strictSame(
    Object.keys(BOUNDED).filter((place) => !used.has(place)),
    [],
  )
})

await t.test('patterns are put together in places that are known', async (t) => {
  const constructing = files.filter((file) => /\bRegExp\(/.test(readFileSync(COMPILED + file, 'utf8')) && boundOf(file) === undefined)
  t.strictSame(constructing.sort(), Object.keys(CONSTRUCTED))
})
