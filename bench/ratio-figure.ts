import type { Figure } from './figures.js'

/** A ratio that is good when it is small. */
export const ratioAtMost = (name: string, value: number, goal: number, reference?: string): Figure => ({
  name,
  value,
  unit: '×',
  ...(reference === undefined ? {} : { reference }),
  goal: `≤ ${goal}`,
  met: value <= goal,
})
