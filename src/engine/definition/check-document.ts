import { compiled } from '../../events/index.js'
import { approximateSize } from '../../lib/json-size.js'
import type { Collection, Doc } from '../../ports/document-store.js'
import { PoisonError } from './dead-letter-collections.js'

/** MongoDB takes 16 MB; a read model with a document of a tenth of that has lost its way long before. */
const MAX_DOCUMENT_CHARACTERS = 1_500_000

/** A document is checked before it is written, so that a mistake parks one aggregate instead of stopping the store. */
export function checkDocument(collection: Collection, doc: Doc): void {
  const parsed = compiled(collection.schema).safeParse(doc)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new PoisonError(`${collection.name}/${doc._id}: ${issue?.path.join('.')} ${issue?.message}`)
  }
  // Only strings and lists that grow with the number of events can get here, so a look at the rough size is enough.
  const size = approximateSize(doc)
  if (Number.isNaN(size)) throw new PoisonError(`${collection.name}/${doc._id} holds text that is not well-formed`)
  if (size > MAX_DOCUMENT_CHARACTERS) throw new PoisonError(`${collection.name}/${doc._id} has grown too large`)
}
