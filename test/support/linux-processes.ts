/** What Linux knows of processes. */
import { readdirSync, readFileSync } from 'node:fs'

/** The processes that this one has begun and that are still there. */
export function childrenOf(parent: number | undefined): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return all.map(Number).filter((pid) => pid !== parent && Number(fieldsOf(pid)?.[1]) === parent)
}

/** A zombie, which has ended but whose parent has not read its exit code, does not count as running. */
export const isThere = (pid: number): boolean => !['Z', undefined].includes(fieldsOf(pid)?.[0])

/** The processor time of all threads of a process so far, in milliseconds. A thread that has ended does not count. */
export function processorMs(pid: number | undefined): number {
  const times = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, ns) => sum + ns, 0) / 1e6
}

/** The fields follow the name, which may hold anything but ends with the last bracket. */
function fieldsOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}
