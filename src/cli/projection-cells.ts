/** Texts about a projection that `status` prints with and without `--watch`. */

export const logText = ({ first, last }: { first: number; last: number }): string =>
  last === 0 ? 'The log is empty.' : `The log holds positions ${first} to ${last}.`

export const stateCell = (state: string, degraded: boolean): string => (degraded && state === 'live' ? 'degraded' : state)

export const generationCell = (version: number, generation: number | null): string =>
  generation === null ? '–' : `v${version} g${generation}`

export const parkedCell = (parked: number, waiting: number): string => (parked === 0 ? '0' : `${parked} (+${waiting} waiting)`)

export const outdatedRemark = (projection: string): string =>
  `${projection} is of another version and stands still: run "vitrine rebuild ${projection}".`
