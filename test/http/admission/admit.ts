import { OverloadedError } from '../../../src/contract/errors.js'
import type { AdmissionController, Ticket } from '../../../src/http/admission/admission-controller.js'
import type { WorkKind } from '../../../src/http/admission/work-kinds.js'

/** A ticket at once, or a promise of one; throws or rejects when shed. */
export function admit(controller: AdmissionController, host: string, kind: WorkKind | null, caller = ''): Ticket | Promise<Ticket> {
  let now: Ticket | OverloadedError | undefined
  let later = { admit: (_ticket: Ticket) => {}, reject: () => {} }
  controller.admit({
    host,
    caller,
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
