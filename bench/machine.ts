import { cpus, loadavg, totalmem } from 'node:os'

/** What the figures were measured on; the load shows whether it was busy with something else. */
export function describeMachine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    architecture: process.arch,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    measuredAt: new Date().toISOString().slice(0, 10),
  }
}
