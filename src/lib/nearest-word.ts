import { editDistance } from './edit-distance.js'

/** A word of this many letters may have one typo, one of twice as many two. */
const LETTERS_PER_TYPO = 3
const MAX_TYPOS = 3

/** The word that was probably meant; undefined if none is near. Case does not matter. */
export function nearestWord(word: string, known: readonly string[], maxTypos = MAX_TYPOS): string | undefined {
  const most = Math.min(maxTypos, Math.floor(word.length / LETTERS_PER_TYPO))
  let nearest: { word: string; typos: number } | undefined
  for (const candidate of known) {
    const typos = editDistance(word.toLowerCase(), candidate.toLowerCase(), most)
    if (typos <= most && typos < (nearest?.typos ?? most + 1)) nearest = { word: candidate, typos }
  }
  return nearest?.word
}

/** To append to a message about an unknown word; empty if none is near. */
export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : ` (did you mean "${meant}"?)`
}
