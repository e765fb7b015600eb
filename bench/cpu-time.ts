import { readFileSync } from 'node:fs'

/** What some work took, by the clock and in processor time, which says more on a busy machine. */
export interface TimeSpent {
  seconds: number
  /** Of this process, with all its threads, and of the server that works for it. */
  cpuSeconds: number
}

export const NO_TIME: TimeSpent = { seconds: 0, cpuSeconds: 0 }

export const sum = (a: TimeSpent, b: TimeSpent): TimeSpent => ({ seconds: a.seconds + b.seconds, cpuSeconds: a.cpuSeconds + b.cpuSeconds })

/** Measures work done here and by the server with this process id. */
export async function measureTime(work: () => unknown, server: number | null): Promise<TimeSpent> {
  const cpu = cpuSeconds(server)
  const began = performance.now()
  await work()
  return { seconds: (performance.now() - began) / 1000, cpuSeconds: cpuSeconds(server) - cpu }
}

function cpuSeconds(server: number | null): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + (server === null ? 0 : cpuSecondsOf(server))
}

/** Linux counts in hundredths of a second; the fields follow the name, which may hold anything but ends with the last bracket. */
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
