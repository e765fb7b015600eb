import type { Db } from 'mongodb'

/** Methods that send a command to the server, of those with which the adapter creates and drops generations. */
const COMMANDS = new Set([
  'findOne',
  'findOneAndUpdate',
  'insertOne',
  'updateOne',
  'deleteOne',
  'createCollection',
  'createIndexes',
  'dropCollection',
  'toArray',
])

/** A database whose client is delayed, or crashes, before a command: `before` may wait, or throw. */
export function interrupted(db: Db, before: (command: string) => Promise<void>): Db {
  return watched(db)

  function watched<T extends object>(target: T): T {
    return new Proxy(target, {
      get(real, key) {
        const member: unknown = Reflect.get(real, key, real)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          const call = () => member.apply(real, args)
          if (COMMANDS.has(String(key))) return before(String(key)).then(call).then(passed)
          return passed(call())
        }
      },
    })
  }

  /** Also wraps collections and cursors, but not their results. */
  function passed(result: unknown): unknown {
    const isPlain = result === null || typeof result !== 'object' || Array.isArray(result) || result.constructor === Object
    return isPlain || result instanceof Promise ? result : watched(result)
  }
}
