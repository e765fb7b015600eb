import type { Document } from 'mongodb'
import { type Collection, type Doc, UnreadableDocumentError } from '../../../ports/document-store.js'

/**
 * Documents are stored unchanged, except where MongoDB would index more than the port allows: a list where the index
 * expects one value, or one value where it expects a list. Such a value is wrapped in an object, where the index does not
 * see it, and this field lists the wrapped paths.
 */
const WRAPPED_PATHS = '_odd'

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
  const paths = [...single, ...lists].map((field) => ({ keys: field.split('.'), list: lists.has(field) }))
  return {
    encode(doc) {
      if (WRAPPED_PATHS in doc) throw new Error(`${collection.name}/${doc._id} has a field "${WRAPPED_PATHS}", which the store uses itself`)
      const toWrap = paths.flatMap(({ keys, list }) => pathToWrap(doc, keys, list) ?? [])
      if (toWrap.length === 0) return doc as unknown as Members
      const wrapped = [...new Set(toWrap)]
      let stored = doc as unknown as Members
      for (const path of wrapped) stored = withValueAt(stored, path.split('.'), (value) => ({ value }))
      return { ...stored, [WRAPPED_PATHS]: wrapped }
    },
    decode(stored) {
      const { [WRAPPED_PATHS]: wrapped } = stored
      // The engine checked it against the collection's schema before it was written.
      if (!Array.isArray(wrapped)) return stored as never
      try {
        return unwrap(stored, wrapped) as never
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        // The document was changed by hand: there is no wrapped value at the path.
        throw new UnreadableDocumentError(collection.name, String(stored._id), `its field "${WRAPPED_PATHS}" does not fit the rest of it`)
      }
    },
  }
}

function unwrap(stored: Members, paths: readonly string[]): Members {
  let doc = { ...stored }
  delete doc[WRAPPED_PATHS]
  for (const path of paths) doc = withValueAt(doc, path.split('.'), (wrapped) => (wrapped as Members).value)
  return doc
}

/** The first part of a path at which MongoDB would see a list, or miss one. */
function pathToWrap(doc: Doc, keys: readonly string[], list: boolean): string | null {
  let value: unknown = doc
  for (const [depth, key] of keys.entries()) {
    value = Object.hasOwn(value as object, key) ? (value as Members)[key] : undefined
    const isLast = depth === keys.length - 1
    const isList = Array.isArray(value)
    const mustWrap = isLast && list ? typeof value === 'string' || typeof value === 'number' : isList
    if (mustWrap) return keys.slice(0, depth + 1).join('.')
    if (value === null || typeof value !== 'object') return null
  }
  return null
}

function withValueAt(members: Members, [key = '', ...rest]: readonly string[], change: (value: unknown) => unknown): Members {
  const value = members[key]
  // Spreading before the assignment keeps the order of the keys.
  return { ...members, [key]: rest.length === 0 ? change(value) : withValueAt(value as Members, rest, change) }
}
