import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timersPromises from 'node:timers/promises'
import type { SeededRandom } from '../../demo/random.js'

/** A simulated process: its tasks run, wait while it is frozen, and are dropped once it is dead. */
export interface Machine {
  name: string
  state: 'running' | 'frozen' | 'dead'
  /** Milliseconds by which its clock is wrong. */
  skew: number
}

interface Task {
  at: number
  machine: Machine
  run: () => void
}

/** What belongs to no simulated process: the stores, and the simulation itself. */
export const WORLD: Machine = { name: 'world', state: 'running', skew: 0 }

const real = { setImmediate: globalThis.setImmediate, hrtime: process.hrtime.bigint }

/**
 * Replaces clocks, timers and random ids in the whole process. Nothing runs by itself any more: each
 * step runs one due task, chosen at random from the seed, and when none is due the clock jumps to the next. The same seed
 * gives the same run. Needs a process for itself, because this cannot be undone.
 */
export class VirtualTime {
  now = Date.UTC(2026, 0, 1) + 2000 * 3_600_000
  steps = 0
  readonly #began = this.now
  readonly #dice: SeededRandom
  readonly #who = new AsyncLocalStorage<Machine>()
  #tasks: Task[] = []

  constructor(dice: SeededRandom) {
    this.#dice = dice
  }

  install(): void {
    const clock = () => this.now + this.#machine.skew
    Date.now = clock
    performance.now = () => this.now - this.#began
    const later = (run: () => void, ms = 0) => this.#timer(run, ms, false)
    Object.assign(globalThis, {
      setTimeout: later,
      setInterval: (run: () => void, ms = 0) => this.#timer(run, ms, true),
      setImmediate: (run: () => void) => this.#timer(run, 0, false),
      clearTimeout: cancel,
      clearInterval: cancel,
      clearImmediate: cancel,
    })
    Object.assign(timersPromises, {
      setTimeout: (ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) => this.pause(ms, signal).then(() => value),
      setImmediate: () => this.pause(0),
    })
    Object.assign(crypto, { randomUUID: () => uuid(this.#dice) })
    syncBuiltinESMExports()
  }

  /** Runs something as a machine would. */
  as<T>(machine: Machine, run: () => T): T {
    return this.#who.run(machine, run)
  }

  /** Resolves that much later; never, once the machine is dead. */
  pause(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const task = this.#schedule(() => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }, ms)
      const abort = () => {
        this.#drop(task)
        reject(new DOMException('The operation was aborted', 'AbortError'))
      }
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** Runs one task, and everything that follows from it at once. `false` when there is nothing left to run. */
  async step(): Promise<boolean> {
    const task = this.#next()
    if (task === undefined) return false
    this.steps += 1
    this.#drop(task)
    this.now = Math.max(this.now, task.at)
    this.as(task.machine, task.run)
    await this.settle()
    return true
  }

  /** Resolves when all promises that could settle have settled. */
  settle(): Promise<void> {
    return new Promise((resolve) => real.setImmediate(resolve))
  }

  #next(): Task | undefined {
    const able = this.#tasks.filter(({ machine }) => machine.state === 'running')
    const due = able.filter(({ at }) => at <= this.now)
    if (due.length > 0) return this.#dice.pick(due)
    return able.reduce<Task | undefined>((first, task) => (first === undefined || task.at < first.at ? task : first), undefined)
  }

  get #machine(): Machine {
    return this.#who.getStore() ?? WORLD
  }

  #schedule(run: () => void, ms: number): Task {
    const machine = this.#machine
    const task = { at: this.now + Math.max(0, ms), machine, run }
    if (machine.state !== 'dead') this.#tasks.push(task)
    return task
  }

  #drop(task: Task): void {
    this.#tasks = this.#tasks.filter((each) => each !== task && each.machine.state !== 'dead')
  }

  #timer(run: () => void, ms: number, again: boolean): VirtualTimer {
    let task = this.#schedule(fire, ms)
    const schedule = () => this.#schedule(fire, Math.max(1, ms))
    function fire() {
      if (again) task = schedule()
      run()
    }
    return new VirtualTimer(() => this.#drop(task))
  }
}

/** What code can do with a timer other than wait for it. */
class VirtualTimer {
  constructor(readonly cancel: () => void) {}
  unref(): this {
    return this
  }
}

const cancel = (timer: VirtualTimer | undefined): void => timer?.cancel()

function uuid(dice: SeededRandom): string {
  const hex = Array.from({ length: 4 }, () => dice.uint32().toString(16).padStart(8, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
