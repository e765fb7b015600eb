import { compiled } from '../../events/index.js'
import { approximateSize } from '../../ports/collection.js'
import type { Collection, Doc } from '../../ports/document-store.js'
import { PoisonError } from './dead-letter-collections.js'

/** A tenth of what MongoDB takes. A read model needs no larger documents. */
const MAX_DOCUMENT_CHARACTERS = 1_500_000

/** Checks a document before it is written, so that a mistake parks one aggregate instead of stopping the projection. */
export function checkDocument(collection: Collection, doc: Doc): void {
  const parsed = compiled(collection.schema).safeParse(doc)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new PoisonError(`${collection.name}/${doc._id}: ${issue?.path.join('.')} ${issue?.message}`)
  }
  // Only documents that grow with the number of events get near the limit, so an approximate size is enough.
  const size = approximateSize(doc)
  if (Number.isNaN(size)) throw new PoisonError(`${collection.name}/${doc._id} holds text that is not well-formed`)
  if (size > MAX_DOCUMENT_CHARACTERS) throw new PoisonError(`${collection.name}/${doc._id} has grown too large`)
}
