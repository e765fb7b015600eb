import { availableParallelism, loadavg } from 'node:os'

/** A limit that grows with the load of the machine: a busy one is no defect of what is tested. */
export function scaledTimeout(ms: number): number {
  const [lastMinute = 0] = loadavg()
  return ms * Math.max(1, lastMinute / availableParallelism())
}
