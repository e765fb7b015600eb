import { CommitTooLargeError, UnreadableDocumentError } from '../../ports/document-store.js'
import type { Request } from './request-store.js'

/** What somebody has to do first, where trying again would change nothing; `null` where it may. */
export function remedyFor(error: unknown, { projection, order: { kind } }: Request): string | null {
  if (error instanceof UnreadableDocumentError)
    return `${error.message}; "vitrine verify ${projection} --repair" writes it as the log says it is${kind === 'repair' ? '' : `: then ask for the ${kind} again`}`
  if (error instanceof CommitTooLargeError) return `${error.message}; "vitrine rebuild ${projection}" makes the model anew in smaller ones`
  return null
}
