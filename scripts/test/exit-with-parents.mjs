import { readFileSync } from 'node:fs'

/** A killed npm leaves its scripts running: this process ends as soon as one of its callers is gone. */
export function endWithCallers() {
  const callers = callersOf(process.pid)
  const watch = setInterval(() => {
    if (!callers.some(isGone)) return
    console.error('What has started these tests is gone: they end.')
    process.exit(1)
  }, 500)
  watch.unref()
}

/** Started by npm: the shell that npm uses for scripts, npm itself, and what has called npm. Otherwise the parent. */
function callersOf(pid) {
  const callers = []
  const levels = process.env.npm_lifecycle_event ? 3 : 1
  for (let parent = parentOf(pid); parent > 1 && callers.length < levels; parent = parentOf(parent)) callers.push(parent)
  return callers
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
