import { readFileSync } from 'node:fs'

/** The shell that npm starts for a script, npm itself, and what has called npm. */
const LEVELS = 3

/** A killed npm leaves its scripts running: this process ends as soon as one of its callers is gone. */
export function endWithCallers() {
  const callers = callersOf(process.pid, LEVELS)
  const watch = setInterval(() => {
    if (callers.some(isGone)) process.exit(1)
  }, 500)
  watch.unref()
}

function callersOf(pid, levels) {
  const parent = levels > 0 ? parentOf(pid) : 0
  return parent > 1 ? [parent, ...callersOf(parent, levels - 1)] : []
}

function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is a name, which may hold anything but ends with the last bracket.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return pid === process.pid ? process.ppid : 0
  }
}

function isGone(pid) {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}
