import { CommitTooLargeError, UnreadableDocumentError } from '../../ports/document-store.js'
import { listDiscards } from '../dead-letters/discards.js'
import type { Execute, RequestContext } from './request-context.js'
import type { Order, Request } from './request-store.js'

/** Fails a request, and says what to do first, where trying again would change nothing. */
export function withRemedy<K extends Order['kind']>(execute: Execute<K>): Execute<K> {
  return async (context, request, live) => {
    try {
      return await execute(context, request, live)
    } catch (error) {
      const remedy = remedyFor(error, request)
      if (remedy === null) throw error
      const decided = await isDiscarded(context, request)
      await context.requests.finish(request, 'failed', decided ? `it is decided, but nothing was folded: ${remedy}` : remedy)
      return true
    }
  }
}

/** `null` where trying again may help. */
export function remedyFor(error: unknown, { projection, order: { kind } }: Request): string | null {
  if (error instanceof UnreadableDocumentError)
    return `${error.message}; "vitrine verify ${projection} --repair" writes it as the log says it is${kind === 'repair' ? '' : `: then ask for the ${kind} again`}`
  if (error instanceof CommitTooLargeError) return `${error.message}; "vitrine rebuild ${projection}" makes the model anew in smaller ones`
  return null
}

async function isDiscarded({ store, projection }: RequestContext, { order }: Request): Promise<boolean> {
  return order.kind === 'discard' && (await listDiscards(store, projection.name)).some(({ position }) => position === order.position)
}
