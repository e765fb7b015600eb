import { ENCODINGS, type Encoding } from '../../operations/cache/encoded-bodies.js'

/** There are few different ones in the world, and browsers send theirs with every request. */
const cachedChoices = new Map<string, Encoding | undefined>()
const MAX_CACHED = 200
const MAX_LENGTH = 200

/** The form to send to whoever sends this as Accept-Encoding; `undefined` is the bytes as they are. */
export function negotiateEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined || header.length > MAX_LENGTH) return undefined
  if (cachedChoices.has(header)) return cachedChoices.get(header)
  const chosen = parseAcceptEncoding(header)
  if (cachedChoices.size < MAX_CACHED) cachedChoices.set(header, chosen)
  return chosen
}

function parseAcceptEncoding(header: string): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const [best] = ENCODINGS.toSorted((a, b) => weightOf(b) - weightOf(a))
  // Whoever likes the bytes as they are better has said so.
  return best !== undefined && weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined
}

/** Each form is another sequence of bytes, so it has another tag. */
export const etagForEncoding = (tag: string, encoding: Encoding | undefined): string =>
  encoding === undefined ? tag : `${tag.slice(0, -1)}-${encoding}"`
