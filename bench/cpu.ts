import { readFileSync } from 'node:fs'

/** Clock ticks a second in /proc, on every Linux there is. */
const TICKS = 100

/** Processor time that a process has used so far, in milliseconds; null where it cannot be read. */
export function cpuMs(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
  } catch {
    return null
  }
}
