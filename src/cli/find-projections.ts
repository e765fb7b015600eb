import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { importModule } from '../compose/models/import-module.js'
import type { ModelSet } from '../compose/models/model-set.js'
import { type Projection, readWith } from '../engine/definition/projection.js'
import { didYouMean, nearestWord } from '../lib/nearest-word.js'
import { type Arguments, CommandError } from './command-line.js'

/** A projection by its name, or from a TypeScript or JavaScript file that exports one. */
export async function findProjection(models: ModelSet, nameOrFile: string): Promise<Projection> {
  if (!/[/\\]|\.[cm]?[jt]s$/.test(nameOrFile)) return oneProjection(models, nameOrFile)
  const path = resolve(nameOrFile)
  if (!existsSync(path)) throw new CommandError(`there is no file ${nameOrFile}`)
  const found = Object.values(await importModule(nameOrFile, path)).find(isProjection)
  if (found === undefined) throw new CommandError(`${nameOrFile} exports no projection: see docs/replay.md`)
  const events = models.events.with(found.ownEvents)
  const unknown = Object.keys(found.on).find((name) => events.get(name) === undefined)
  if (unknown !== undefined)
    throw new CommandError(`${nameOrFile} handles "${unknown}", which is no event type${didYouMean(nearestWord(unknown, events.names))}`)
  return readWith(found, events)
}

function isProjection(value: unknown): value is Projection {
  return (
    typeof value === 'object' && value !== null && 'name' in value && 'version' in value && 'collections' in value && 'ownEvents' in value
  )
}

/** The projections that the only argument of a command names. */
export function projectionsOf({ models, positionals: [name] }: Arguments, fallback?: string): readonly Projection[] {
  return projectionsNamed(models, name ?? fallback)
}

/** One, not all of them. */
export function oneProjection(models: ModelSet, name: string | undefined): Projection {
  const [found, another] = projectionsNamed(models, name)
  if (found === undefined || another !== undefined) throw new CommandError('name a projection, one at a time')
  return found
}

/** The projection of that name, or all for "all". */
export function projectionsNamed({ projections, names }: ModelSet, name: string | undefined): readonly Projection[] {
  if (name === 'all') return projections
  const found = projections.filter((projection) => projection.name === name)
  if (found.length > 0) return found
  const known = names.join(', ')
  if (name === undefined) throw new CommandError(`name a projection (${known}) or "all"`)
  throw new CommandError(`there is no projection "${name}", only ${known}${didYouMean(nearestWord(name, names))}`)
}
