import { type Collection, type Doc, UnreadableDocumentError } from '../../../ports/document-store.js'

/**
 * Documents are stored as they are, except where MongoDB would index more than the port says: a list where the index
 * wants one value, or one value where it wants a list. Such a member is put away in an object, out of the index's
 * sight, and a field beside the document's own says where.
 */
const WRAPPED_PATHS = '_odd'

type Members = Record<string, unknown>

export interface Codec {
  encode(doc: Doc): Members
  decode<D extends Doc>(stored: Members): D
}

export function codecOf(collection: Collection): Codec {
  const single = new Set<string>()
  const lists = new Set<string>()
  for (const { fields, each } of collection.indexes) for (const field of fields) (field === each ? lists : single).add(field)
  const both = [...single].find((field) => lists.has(field))
  if (both !== undefined) throw new Error(`${collection.name} indexes ${both} as one value and as a list`)
  const paths = [...single, ...lists].map((field) => ({ keys: field.split('.'), list: lists.has(field) }))
  return {
    encode(doc) {
      if (WRAPPED_PATHS in doc) throw new Error(`${collection.name}/${doc._id} has a field "${WRAPPED_PATHS}", which the store uses itself`)
      const odd = paths.flatMap(({ keys, list }) => pathToWrap(doc, keys, list) ?? [])
      if (odd.length === 0) return doc as unknown as Members
      const places = [...new Set(odd)]
      let stored = doc as unknown as Members
      for (const place of places) stored = withValueAt(stored, place.split('.'), (value) => ({ value }))
      return { ...stored, [WRAPPED_PATHS]: places }
    },
    decode(stored) {
      const { [WRAPPED_PATHS]: places } = stored
      // What was put in under this collection's schema comes out again.
      if (!Array.isArray(places)) return stored as never
      try {
        return unwrap(stored, places) as never
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        // Somebody has changed it by hand: nothing is put away where it says.
        throw new UnreadableDocumentError(collection.name, String(stored._id), `its field "${WRAPPED_PATHS}" does not fit the rest of it`)
      }
    },
  }
}

function unwrap(stored: Members, places: readonly string[]): Members {
  let doc = { ...stored }
  delete doc[WRAPPED_PATHS]
  for (const place of places) doc = withValueAt(doc, place.split('.'), (wrapped) => (wrapped as Members).value)
  return doc
}

/** Where on the way along a path MongoDB would see a list, or miss one. */
function pathToWrap(doc: Doc, keys: readonly string[], list: boolean): string | null {
  let value: unknown = doc
  for (const [depth, key] of keys.entries()) {
    value = Object.hasOwn(value as object, key) ? (value as Members)[key] : undefined
    const isLast = depth === keys.length - 1
    const isList = Array.isArray(value)
    const isOdd = isLast && list ? typeof value === 'string' || typeof value === 'number' : isList
    if (isOdd) return keys.slice(0, depth + 1).join('.')
    if (value === null || typeof value !== 'object') return null
  }
  return null
}

function withValueAt(members: Members, [key = '', ...rest]: readonly string[], change: (value: unknown) => unknown): Members {
  const value = members[key]
  // Spreading and then assigning keeps the place of the key among the others.
  return { ...members, [key]: rest.length === 0 ? change(value) : withValueAt(value as Members, rest, change) }
}
