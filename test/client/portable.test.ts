/** The client runs wherever there is `fetch`: it needs nothing of Node and no package. */
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const DIST = fileURLToPath(new URL('../../', import.meta.url))
const IMPORT = /(?:^(?:import|export)\b(?:[^'"\n]*\bfrom)? |\bimport\()['"]([^'"]+)['"]/gm
/** Globals of Node that browsers do not have. */
const NODE_ONLY = /\b(process|Buffer|require|setImmediate|__dirname|__filename|global)\b\s*[.([]/

/** All files that a file imports, directly or through others. */
function importGraph(entry: string): { files: string[]; foreign: string[] } {
  const files = [entry]
  const foreign: string[] = []
  for (const file of files) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (!specifier.startsWith('.')) foreign.push(specifier)
      else {
        const imported = join(dirname(file), entry.endsWith('.d.ts') ? specifier.replace(/js$/, 'd.ts') : specifier)
        if (!files.includes(imported)) files.push(imported)
      }
    }
  }
  return { files, foreign }
}

t.test('it imports its own files and two tables of the contract', async (t) => {
  const { files, foreign } = importGraph(join(DIST, 'src/client/index.js'))
  t.strictSame(foreign, [])
  const outside = files.map((file) => relative(DIST, file)).filter((file) => !file.startsWith('src/client/'))
  t.strictSame(outside.sort(), ['src/contract/caller-limits.js', 'src/contract/error-table.js'])
  t.ok(files.length > 10)
  for (const file of files) t.notMatch(readFileSync(file, 'utf8'), NODE_ONLY, relative(DIST, file))
})

t.test('so do its types', async (t) => {
  const { files, foreign } = importGraph(join(DIST, 'src/client/index.d.ts'))
  t.strictSame(foreign, [])
  t.ok(files.every((file) => /^src\/(client|contract)\//.test(relative(DIST, file))))
})

t.test('the check finds what it looks for', async (t) => {
  const { foreign } = importGraph(join(DIST, 'src/discovery/openapi/document.js'))
  t.ok(foreign.includes('zod'))
})
