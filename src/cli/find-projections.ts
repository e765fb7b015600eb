import { existsSync } from 'node:fs'
import { register } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { projections } from '../compose/models.js'
import type { Projection } from '../engine/definition/projection.js'
import { didYouMean, nearestWord } from '../lib/nearest-word.js'
import { type Arguments, CommandError } from './command-line.js'

export const PROJECTION_NAMES: readonly string[] = projections.map(({ name }) => name)

/** A projection by its name, or from a TypeScript or JavaScript file that exports one. */
export async function findProjection(nameOrFile: string): Promise<Projection> {
  if (!/[/\\]|\.[cm]?[jt]s$/.test(nameOrFile)) {
    const [named, another] = projectionsNamed(nameOrFile)
    if (named === undefined || another !== undefined) throw new CommandError('one projection at a time')
    return named
  }
  const path = resolve(nameOrFile)
  if (!existsSync(path)) throw new CommandError(`there is no file ${nameOrFile}`)
  registerTypeScriptLoader()
  const found = Object.values(await importFile(nameOrFile, path)).find(isProjection)
  if (found === undefined) throw new CommandError(`${nameOrFile} exports no projection: see docs/replay.md`)
  return found
}

let isLoaderRegistered = false

/** Once: every import passes through every registration. */
function registerTypeScriptLoader(): void {
  if (!isLoaderRegistered) register('./typescript-loader.js', import.meta.url)
  isLoaderRegistered = true
}

async function importFile(name: string, path: string): Promise<Record<string, unknown>> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    throw new CommandError(`cannot load ${name}: ${describeImportError(error)}`)
  }
}

/** The TypeScript loader throws an object with line and column; the file itself throws an error. */
function describeImportError(error: unknown): string {
  const { message, startLine, startColumn } = error as { message?: string; startLine?: number; startColumn?: number }
  const [line] = String(message ?? error).split('\n')
  return startLine === undefined ? `${line}` : `line ${startLine}, column ${startColumn}: ${line}`
}

function isProjection(value: unknown): value is Projection {
  return typeof value === 'object' && value !== null && 'name' in value && 'version' in value && 'collections' in value && 'on' in value
}

/** The projections that the only argument of a command names. */
export function projectionsOf({ positionals: [name, surplus] }: Arguments, fallback?: string): readonly Projection[] {
  if (surplus !== undefined) throw new CommandError('give one projection, or "all"')
  return projectionsNamed(name ?? fallback)
}

/** The projection of that name, or all for "all". */
export function projectionsNamed(name: string | undefined): readonly Projection[] {
  if (name === 'all') return projections
  const found = projections.filter((projection) => projection.name === name)
  if (found.length > 0) return found
  const known = PROJECTION_NAMES.join(', ')
  if (name === undefined) throw new CommandError(`name a projection (${known}) or "all"`)
  throw new CommandError(`there is no projection "${name}", only ${known}${didYouMean(nearestWord(name, PROJECTION_NAMES))}`)
}
