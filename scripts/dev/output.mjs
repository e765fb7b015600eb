/** The compiled program in a folder of its own: tests may use `dist/` meanwhile. Types are stripped, not checked. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transformSync } from '@swc/wasm-typescript'

/** At the root: the program finds its other files from the folder above. */
const FOLDER = '.dev'

/** The process that serves from this checkout already, if any. */
export function otherDevelopment() {
  try {
    const pid = Number(readFileSync(join(FOLDER, 'pid'), 'utf8'))
    process.kill(pid, 0)
    return pid
  } catch {
    // None, or it was killed and has left its folder.
    return null
  }
}

export class Output {
  /** By source: the text to write, or null to delete. */
  #unwritten = new Map()
  /** By source: what is wrong with it. */
  #errors = new Map()

  constructor() {
    this.remove()
    mkdirSync(FOLDER)
    // Tells `npx vitrine` that this program is the one to use.
    writeFileSync(join(FOLDER, 'pid'), String(process.pid))
  }

  /** The errors of all sources, as `file:line:column: message`. */
  get errors() {
    return [...this.#errors.values()]
  }

  update({ written, deleted }) {
    for (const source of written.filter(isCompiled)) this.#compile(source)
    for (const source of deleted.filter(isCompiled)) {
      this.#errors.delete(source)
      this.#unwritten.set(source, null)
    }
  }

  write() {
    for (const [source, code] of this.#unwritten) {
      const path = join(FOLDER, source.replace(/\.ts$/, '.js'))
      if (code === null) rmSync(path, { force: true })
      else {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, code)
      }
    }
    this.#unwritten.clear()
  }

  remove() {
    rmSync(FOLDER, { recursive: true, force: true })
  }

  #compile(source) {
    try {
      this.#unwritten.set(source, withoutTypes(source))
      this.#errors.delete(source)
    } catch (error) {
      // Deleted since: the next look tells.
      if (error.code === 'ENOENT') return
      const { message = String(error), startLine, startColumn } = error
      const place = startLine === undefined ? source : `${source}:${startLine}:${startColumn + 1}`
      this.#errors.set(source, `${place}: ${message.split('\n')[0]}`)
    }
  }
}

/** Types become spaces, so that lines and columns of errors stay right, except where there is more than types to remove. */
function withoutTypes(filename) {
  const text = readFileSync(filename, 'utf8')
  try {
    return transformSync(text, { mode: 'strip-only', filename }).code
  } catch (error) {
    if (error.code !== 'UnsupportedSyntax') throw error
    return transformSync(text, { mode: 'transform', filename }).code
  }
}

const isCompiled = (path) => path.endsWith('.ts') && !path.endsWith('.d.ts')
