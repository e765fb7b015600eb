import { type Guest, type Kind, type Overload, OverloadedError } from '../../../src/http/admission/admission-controller.js'

/** A guest at once, or one to wait for; rejects, or throws, when turned away. */
export function enter(overload: Overload, host: string, kind: Kind | null): Guest | Promise<Guest> {
  let now: Guest | OverloadedError | undefined
  let later = { come: (_guest: Guest) => {}, go: () => {} }
  overload.enter({
    host,
    kind,
    come: (guest) => {
      now = guest
      later.come(guest)
    },
    go: () => {
      now = new OverloadedError()
      later.go()
    },
  })
  if (now instanceof OverloadedError) throw now
  return (
    now ??
    new Promise((resolve, reject) => {
      later = { come: resolve, go: () => reject(new OverloadedError()) }
    })
  )
}
