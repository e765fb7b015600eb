import type { Document } from 'mongodb'
import { type Collection, type Doc, UnreadableDocumentError } from '../../../ports/document-store.js'

/**
 * Documents are stored unchanged, except where MongoDB would index more than the port allows: a list where the index
 * expects one value, or one value where it expects a list. Such a value is wrapped in an object, where the index does not
 * see it, and this field lists the wrapped ones.
 */
const WRAPPED = '_odd'

type Members = Record<string, unknown>

export interface StoredDocument extends Document {
  _id: string
}

export interface Codec {
  encode(doc: Doc): Members
  decode<D extends Doc>(stored: Members): D
}

const codecs = new WeakMap<Collection, Codec>()

export function codecFor(collection: Collection): Codec {
  let codec = codecs.get(collection)
  if (codec === undefined) {
    codec = createCodec(collection)
    codecs.set(collection, codec)
  }
  return codec
}

function createCodec(collection: Collection): Codec {
  const single = new Set<string>()
  const lists = new Set<string>()
  for (const { fields, each } of collection.indexes) for (const field of fields) (field === each ? lists : single).add(field)
  const both = [...single].find((field) => lists.has(field))
  if (both !== undefined) throw new Error(`${collection.name} indexes ${both} as one value and as a list`)
  return {
    encode(doc) {
      if (WRAPPED in doc) throw new Error(`${collection.name}/${doc._id} has a field "${WRAPPED}", which the store uses itself`)
      const stored: Members = { ...doc }
      const wrapped = [...single].filter((field) => Array.isArray(stored[field]))
      for (const field of lists) if (typeof stored[field] === 'string' || typeof stored[field] === 'number') wrapped.push(field)
      for (const field of wrapped) stored[field] = { value: stored[field] }
      return wrapped.length === 0 ? stored : { ...stored, [WRAPPED]: wrapped }
    },
    decode(stored) {
      const { [WRAPPED]: wrapped, ...doc } = stored
      // The engine checked it against the collection's schema before it was written.
      if (!Array.isArray(wrapped)) return stored as never
      for (const field of wrapped) {
        const value = doc[field]
        // The document was changed by hand.
        if (typeof value !== 'object' || value === null || !('value' in value))
          throw new UnreadableDocumentError(collection.name, String(stored._id), `its field "${WRAPPED}" does not fit the rest of it`)
        doc[field] = value.value
      }
      return doc as never
    },
  }
}
