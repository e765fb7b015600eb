/** `npm run build`: compiles what has changed since, and leaves nothing of what was deleted. */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { folderWith } from '../adapters/folder.js'

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url))
const BUILD = join(CHECKOUT, 'scripts/build.mjs')
const COMPILER_OPTIONS = { target: 'es2023', module: 'nodenext', rootDir: '.', outDir: 'dist', types: [] }

const folder = folderWith({
  'package.json': '{"type": "module"}',
  'tsconfig.json': JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['src', 'test'] }),
  'tsconfig.program.json': JSON.stringify({ extends: './tsconfig.json', include: ['src'] }),
  'src/one.ts': 'export const one: number = 1\n',
  'src/two.ts': 'export const two = 2\n',
  'test/one.ts': "import { one } from '../src/one.js'\nexport const same = one\n",
})
symlinkSync(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'))

const build = (...args: string[]): number | null => spawnSync(process.execPath, [BUILD, ...args], { cwd: folder }).status
const has = (path: string): boolean => existsSync(join(folder, 'dist', path))
const compiledAt = (): number => statSync(join(folder, 'dist/src/one.js')).mtimeMs
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text)

t.test('for the program alone, tests are not compiled', async (t) => {
  t.equal(build('--program'), 0)
  t.strictSame([has('src/one.js'), has('test/one.js')], [true, false])
})

t.test('with nothing changed, nothing is compiled', async (t) => {
  t.equal(build(), 0)
  t.strictSame([has('src/one.js'), has('test/one.js')], [true, true])
  const before = compiledAt()
  write('src/one.ts', 'export const one: number = 1\n')
  t.equal(build(), 0)
  t.equal(build('--program'), 0, 'the program was compiled with the rest')
  t.equal(compiledAt(), before)
})

t.test('of a deleted source nothing is left', async (t) => {
  rmSync(join(folder, 'src/two.ts'))
  t.equal(build(), 0)
  t.strictSame([has('src/one.js'), has('src/two.js')], [true, false])
})

t.test('an error is one until it is mended', async (t) => {
  write('src/one.ts', "export const one: number = 'one'\n")
  t.not(build(), 0)
  t.not(build(), 0)
  write('src/one.ts', 'export const one: number = 2\n')
  t.equal(build(), 0)
})
