import { projections } from '../compose/models.js'
import type { Projection } from '../engine/definition/projection.js'
import { CommandError } from './command-line.js'

/** The projections a person means by a name, or by "all". */
export function projectionsNamed(name: string | undefined): readonly Projection[] {
  if (name === 'all') return projections
  const found = projections.filter((projection) => projection.name === name)
  if (found.length > 0) return found
  const known = projections.map((projection) => projection.name).join(', ')
  throw new CommandError(name === undefined ? `name a projection (${known}) or "all"` : `there is no projection "${name}", only ${known}`)
}
