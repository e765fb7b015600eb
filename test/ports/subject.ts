import { setTimeout as pause } from 'node:timers/promises'
import type { Test } from 'tap'

/** An adapter as a contract suite needs it. Naming one here is all it takes to test it. */
export interface Subject<S extends Closable, F extends Fresh<S> = Fresh<S>> {
  name: string
  /** Opens a store that has never been written to. */
  open(): Promise<F>
}

export interface Fresh<S extends Closable> {
  store: S
  /** Opens the same data once more, as another process would. */
  another(): Promise<S>
  /** Removes the data; every handle is closed by then. */
  remove(): Promise<void>
}

interface Closable {
  close(): Promise<void>
}

export interface Opened<S extends Closable, F extends Fresh<S>> {
  store: S
  fresh: F
  another(): Promise<S>
  close(handle: S): Promise<void>
  /** Closes every handle and opens the data anew, as after a restart. */
  reopen(): Promise<S>
}

/** Opens a subject for one test, which closes and removes everything at its end, however it ends. */
export async function opened<S extends Closable, F extends Fresh<S>>(t: Test, subject: Subject<S, F>): Promise<Opened<S, F>> {
  const fresh = await subject.open()
  const handles = new Set<S>([fresh.store])
  const close = async (handle: S) => {
    handles.delete(handle)
    await handle.close()
  }
  const closeAll = async () => {
    for (const handle of handles) await close(handle)
  }
  const another = async () => {
    const handle = await fresh.another()
    handles.add(handle)
    return handle
  }
  t.teardown(async () => {
    await closeAll()
    await fresh.remove()
  })
  return {
    store: fresh.store,
    fresh,
    another,
    close,
    reopen: async () => {
      await closeAll()
      return another()
    },
  }
}

/** For conditions without a notice, such as a lease running out. The test's own timeout is the bound. */
export async function eventually<T>(look: () => Promise<T | null | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined && found !== false) return found
    await pause(5)
  }
}
