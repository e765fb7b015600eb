import { type Score, share } from './evaluate.js'

/**
 * Below these the build fails. The whole is held to what each of the sets that have been read is held to, so that a set
 * nobody has read counts as soon as it is here.
 */
export const FLOORS: readonly [string, number][] = [
  ['own', 0.95],
  ['second', 0.95],
  ['third', 0.95],
  ['fourth', 0.95],
  ['all questions', 0.95],
  ['injections', 1],
]

export const holds = (scores: readonly Score[]): boolean =>
  FLOORS.every(([name, floor]) => scores.some((score) => score.name === name && share(score) >= floor))
