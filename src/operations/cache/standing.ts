import { isOrdinaryProgress, type Version, type Versions } from './versions.js'

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
