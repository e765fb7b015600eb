import { type Ticket, type WorkKind, type AdmissionController, OverloadedError } from '../../../src/http/admission/admission-controller.js'

/** A guest at once, or one to wait for; rejects, or throws, when turned away. */
export function enter(overload: AdmissionController, host: string, kind: WorkKind | null): Ticket | Promise<Ticket> {
  let now: Ticket | OverloadedError | undefined
  let later = { admit: (_guest: Ticket) => {}, reject: () => {} }
  overload.admit({
    host,
    kind,
    admit: (guest) => {
      now = guest
      later.admit(guest)
    },
    reject: () => {
      now = new OverloadedError()
      later.reject()
    },
  })
  if (now instanceof OverloadedError) throw now
  return (
    now ??
    new Promise((resolve, reject) => {
      later = { admit: resolve, reject: () => reject(new OverloadedError()) }
    })
  )
}
