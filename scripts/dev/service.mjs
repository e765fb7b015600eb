import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ENTRY = fileURLToPath(new URL('serve.mjs', import.meta.url))
/** A request that never ends must not hold up a change. */
const STOP_MS = 3000

/** The program with the demo, as a process. */
export class Service {
  #running = null
  #loading = null
  #isClosed = false
  #args
  #onReady
  #onExit

  /** `onReady` gets what was served and what it prints once its models can be read, `onExit` the exit code if nobody has stopped it. */
  constructor(args, { onReady, onExit }) {
    // Its log would hide what this command says.
    this.#args = process.env.LOG_LEVEL === undefined ? ['--log-level', 'warn', ...args] : args
    this.#onReady = onReady
    this.#onExit = onExit
  }

  get isRunning() {
    return this.#running !== null
  }

  /** Loads the program, and only then stops the one that runs. `false` if it cannot be loaded: the other goes on. */
  async start(change) {
    const child = this.#load()
    const isLoaded = await Promise.race([once(child, 'message').then(() => true), once(child, 'exit').then(() => false)])
    this.#loading = null
    if (!isLoaded) return false
    await this.#stopRunning()
    if (this.#isClosed) {
      child.kill('SIGKILL')
      return false
    }
    this.#running = child
    child.stdout.setEncoding('utf8').on('data', (text) => this.#running === child && this.#onReady(change, text))
    child.once('exit', (code) => {
      if (this.#running !== child) return
      this.#running = null
      this.#onExit(code)
    })
    child.send('run')
    return true
  }

  /** For good. */
  async close() {
    this.#isClosed = true
    this.#loading?.kill('SIGKILL')
    await this.#stopRunning()
  }

  async #stopRunning() {
    const child = this.#running
    this.#running = null
    await stop(child)
  }

  #load() {
    this.#loading = spawn(process.execPath, [ENTRY, 'serve', '--demo', '--rebuild-edited', ...this.#args], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      // In its own group: Ctrl+C reaches this process only, which stops it.
      detached: true,
    })
    return this.#loading
  }
}

async function stop(child) {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  // With the processes that it has started.
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), STOP_MS)
  await exited
  clearTimeout(timer)
}
