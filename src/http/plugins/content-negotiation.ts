/** Reads the `Accept…` headers: which encoding a caller takes, and whether it wants a page, Markdown or JSON. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { weightedValues } from '../../lib/weighted-values.js'
import { ENCODINGS, type Encoding } from '../../operations/cache/encoded-bodies.js'

/** Whether `Accept` ranks HTML strictly above JSON, as browsers do. */
export function prefersHtml({ headers }: Accepting): boolean {
  const weightOf = acceptedWeights(headers)
  return weightOf('text/html') > weightOf('application/json', 'application/*')
}

/** Whether `Accept` names Markdown, and not after HTML. Browsers do not name it. */
export function prefersMarkdown({ headers }: Accepting): boolean {
  const weightOf = acceptedWeights(headers)
  return weightOf('text/markdown') > 0 && weightOf('text/markdown') >= weightOf('text/html')
}

type Accepting = Pick<IncomingMessage, 'headers'>

function acceptedWeights(headers: IncomingHttpHeaders): (...types: string[]) => number {
  const accepted = weightedValues((headers.accept ?? '').toLowerCase())
  return (...types) => Math.max(0, ...accepted.filter(({ value }) => types.includes(value)).map(({ weight }) => weight))
}

/** Few different headers exist, and browsers send theirs with every request. */
const cachedChoices = new Map<string, Encoding | undefined>()
const MAX_CACHED = 200
const MAX_LENGTH = 200

/** The encoding for an `Accept-Encoding` header; `undefined` for none. */
export function negotiateEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined || header.length > MAX_LENGTH) return undefined
  if (cachedChoices.has(header)) return cachedChoices.get(header)
  const chosen = parseAcceptEncoding(header)
  if (cachedChoices.size < MAX_CACHED) cachedChoices.set(header, chosen)
  return chosen
}

function parseAcceptEncoding(header: string): Encoding | undefined {
  const weights = new Map(weightedValues(header.toLowerCase()).map(({ value, weight }) => [value, weight]))
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const [best] = ENCODINGS.toSorted((a, b) => weightOf(b) - weightOf(a))
  // `identity` wins only with a higher weight.
  return best !== undefined && weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined
}
