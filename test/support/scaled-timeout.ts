import { availableParallelism, loadavg } from 'node:os'

/** A timeout that grows with the load of the machine, because a busy machine is not a bug. */
export function scaledTimeout(ms: number): number {
  const [lastMinute = 0] = loadavg()
  return ms * Math.max(1, lastMinute / availableParallelism())
}
