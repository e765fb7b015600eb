/** The table of faults in docs/operating.md, which the tests of the faults hold the program to. */
import { readFileSync } from 'node:fs'

export const FAULTS = [
  'nothing',
  'log dead',
  'store dead',
  'commits refused',
  'leader stopped (SIGSTOP)',
  'no projector',
  'long fan-out',
  'foreign log',
  'thread crashed',
  'thread cannot start',
] as const

export type Fault = (typeof FAULTS)[number]

/** One per surface, in the order of the table. */
export const SURFACES = ['/status', 'query', 'project', 'metrics', 'alert', 'dashboard', 'status', 'doctor'] as const

/** What each surface says, in the words of the table. */
export type Cells = Record<(typeof SURFACES)[number], string>

/** The rows, by fault. */
export const faultTable = (): Map<string, Cells> =>
  new Map(
    rowsBelow('fault').map(([fault = '', ...cells]) => {
      if (cells.length !== SURFACES.length) throw new Error(`not a cell per surface: ${fault}`)
      // Every surface has its cell.
      return [fault, Object.fromEntries(SURFACES.map((surface, i) => [surface, cells[i]])) as Cells]
    }),
  )

/** The cells of the table whose first column has this head. */
export function rowsBelow(head: string): string[][] {
  const document = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
  const table = document.split('\n\n').find((block) => block.startsWith(`| ${head} |`)) ?? ''
  // Without the heads and the line below them.
  return table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}
