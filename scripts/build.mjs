/**
 * Compiles to `dist/`, from an empty folder, so that no file of a deleted source is left. Does nothing if `dist/` was made
 * from the same sources. With `--program` only what the program needs: no tests, benchmarks and examples.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The digests of the sources that `dist/` was made from, by project. Written last: an interrupted build leaves none. */
const STAMP = 'dist/.sources.json'
const EVERYTHING = 'tsconfig.json'
const PROGRAM = 'tsconfig.program.json'
const TYPESCRIPT = createRequire(import.meta.url).resolve('typescript/package.json')

const wanted = process.argv.includes('--program') ? PROGRAM : EVERYTHING
// What compiles everything has compiled the program.
const digests = Object.fromEntries([EVERYTHING, PROGRAM].map((project) => [project, digestOf(project)]))
if (readStamp()[wanted] !== digests[wanted]) build()

function build() {
  rmSync('dist', { recursive: true, force: true })
  const { status } = spawnSync(process.execPath, [join(dirname(TYPESCRIPT), 'bin/tsc'), '-p', wanted], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  mkdirSync(dirname(STAMP), { recursive: true })
  writeFileSync(STAMP, JSON.stringify(wanted === EVERYTHING ? digests : { [PROGRAM]: digests[PROGRAM] }))
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'))
  } catch {
    return {}
  }
}

/** By content: a checkout changes the times of files that it leaves as they are. */
function digestOf(project) {
  const { include } = JSON.parse(readFileSync(project, 'utf8'))
  const sources = include
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.ts'))
  const hash = createHash('sha256')
  for (const path of [TYPESCRIPT, EVERYTHING, PROGRAM, ...sources.sort()]) hash.update(`${path}\0${readFileSync(path, 'utf8')}\0`)
  return hash.digest('hex')
}
