/** Files, links and tests that the documents name exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'

const FOLDERS = 'src|test|projections|readmodels|content|demo|bench|examples|ops|docs|scripts|assets|public'
/** A path at the beginning of a code span: `src/main.ts`, `test/http/`. */
const PATH = new RegExp(`\`((?:${FOLDERS})/[\\w./-]*)\``, 'g')
const BUILT_TEST = /dist\/(test\/[\w./-]+)\.js/g
const LINK = /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g
/** `test/a.test.ts`: *name*; *another name* */
const NAMED_TESTS = /`(test\/[\w./-]+\.ts)`: ((?:\*[^*]+\*(?:; )?)+)/g

const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'content/README.md', ...markdownIn('docs')]

t.test('paths in the documents lead to files and folders', async (t) => {
  for (const page of PAGES) {
    const text = readFileSync(page, 'utf8')
    for (const [, path = ''] of text.matchAll(PATH)) t.ok(existsSync(path) || existsSync(`${path}.test.ts`), `${page}: ${path}`)
    for (const [, test = ''] of text.matchAll(BUILT_TEST)) t.ok(existsSync(`${test}.ts`), `${page}: ${test}`)
    for (const [, link = ''] of text.matchAll(LINK)) t.ok(existsSync(join(dirname(page), link)), `${page}: ${link}`)
  }
})

t.test('tests that the page on erasure names are there', async (t) => {
  const named = [...readFileSync('docs/erasure.md', 'utf8').matchAll(NAMED_TESTS)]
  t.ok(named.length > 20)
  for (const [, file = '', names = ''] of named) {
    const source = readFileSync(file, 'utf8')
    for (const [, name = ''] of names.matchAll(/\*([^*]+)\*/g)) t.ok(source.includes(name), `${file}: ${name}`)
  }
})

function markdownIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.md')).map((file) => join(folder, file))
}
