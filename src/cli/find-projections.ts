import { existsSync } from 'node:fs'
import { register } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Projection } from '../engine/definition/projection.js'
import { UsageError } from './command-line.js'
import { projectionsCalled } from './projections-called.js'

/** A projection by its name, or out of a TypeScript or JavaScript file that exports one. */
export async function findProjection(nameOrFile: string): Promise<Projection> {
  if (!/[/\\]|\.[cm]?[jt]s$/.test(nameOrFile)) {
    const [named, another] = projectionsCalled(nameOrFile)
    if (named === undefined || another !== undefined) throw new UsageError('one projection at a time')
    return named
  }
  const path = resolve(nameOrFile)
  if (!existsSync(path)) throw new UsageError(`there is no file ${nameOrFile}`)
  readTypeScript()
  const found = Object.values(await loaded(nameOrFile, path)).find(isProjection)
  if (found === undefined) throw new UsageError(`${nameOrFile} exports no projection: see docs/replay.md`)
  return found
}

let readsTypeScript = false

/** Once: each further registration would be one more for every import to pass through. */
function readTypeScript(): void {
  if (!readsTypeScript) register('./typescript-loader.js', import.meta.url)
  readsTypeScript = true
}

async function loaded(name: string, path: string): Promise<Record<string, unknown>> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    throw new UsageError(`cannot load ${name}: ${problemIn(error)}`)
  }
}

/** What the TypeScript loader throws is no error but says where it is; what the file itself throws is one. */
function problemIn(error: unknown): string {
  const { message, startLine, startColumn } = error as { message?: string; startLine?: number; startColumn?: number }
  const [line] = String(message ?? error).split('\n')
  return startLine === undefined ? `${line}` : `line ${startLine}, column ${startColumn}: ${line}`
}

function isProjection(value: unknown): value is Projection {
  return typeof value === 'object' && value !== null && 'name' in value && 'version' in value && 'collections' in value && 'on' in value
}
