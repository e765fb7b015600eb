import type { Version, Versions } from './versions.js'

/** `behind`: still true of a moment ago. `void`: not to be shown any more. */
export type Standing = 'current' | 'behind' | 'void'

/** How an answer that was read from some versions of models stands to what is known of them now. */
export function standingOf(read: readonly Version[], versions: Pick<Versions, 'of'>): Standing {
  let standing: Standing = 'current'
  for (const version of read) {
    const known = versions.of(version.model)
    if (known?.stamp === version.stamp) continue
    if (known === undefined || !isOrdinaryProgress(version, known)) return 'void'
    standing = 'behind'
  }
  return standing
}

/**
 * More events, none of them a removal. Documents that changed without an event (a repair, a replayed dead letter, part of
 * a fan-out, another generation) were changed for a reason that does not wait either.
 */
const isOrdinaryProgress = (from: Version, to: Version): boolean =>
  to.generation === from.generation && to.position > from.position && to.floor <= from.position
