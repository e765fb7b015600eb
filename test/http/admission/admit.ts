import { type AdmissionController, OverloadedError, type Ticket, type WorkKind } from '../../../src/http/admission/admission-controller.js'

/** A guest at once, or one to wait for; rejects, or throws, when turned away. */
export function enter(controller: AdmissionController, host: string, kind: WorkKind | null): Ticket | Promise<Ticket> {
  let now: Ticket | OverloadedError | undefined
  let later = { admit: (_guest: Ticket) => {}, reject: () => {} }
  controller.admit({
    host,
    kind,
    admit: (ticket) => {
      now = ticket
      later.admit(ticket)
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
