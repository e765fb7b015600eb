import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

const COMPILER = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))
const OPTIONS = '-p tsconfig.program.json --noEmit --incremental --tsBuildInfoFile .dev/.tsbuildinfo --pretty'.split(' ')

/** Checks types beside the running program, and reports without holding it up. */
export class TypeCheck {
  #running = null
  #hadErrors = false

  start() {
    this.stop()
    const check = spawn(process.execPath, [COMPILER, ...OPTIONS], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // The compiler starts a process of its own: the group is ended as one.
      detached: true,
    })
    this.#running = check
    setPriority(check.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    let report = ''
    check.stdout.setEncoding('utf8').on('data', (text) => (report += text))
    check.once('close', (code) => {
      if (this.#running !== check) return
      this.#running = null
      if (code !== 0) console.error(`\n${report.trim()}\n`)
      else if (this.#hadErrors) console.error('Types are right again.')
      this.#hadErrors = code !== 0
    })
  }

  stop() {
    const check = this.#running
    this.#running = null
    if (check !== null && check.exitCode === null && check.signalCode === null) process.kill(-check.pid, 'SIGKILL')
  }
}
