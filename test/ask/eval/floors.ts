import { type Score, share } from './evaluate.js'

/**
 * Below these the build fails. All questions together have the same floor as each set that has been read, so an unread set
 * counts as soon as its file is here.
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
