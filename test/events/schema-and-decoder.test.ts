/** The AsyncAPI document and the decoder accept and refuse the same events, but for what the document lists. */
import { Ajv } from 'ajv'
import fc from 'fast-check'
import t from 'tap'
import { asyncApiDocument } from '../../src/events/asyncapi.js'
import { builtInEvents, type Position } from '../../src/events/index.js'
import { decode } from '../support/decode.js'
import { holds } from '../support/property.js'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Payload = Record<string, Json> & { type: string }

const document = JSON.parse(JSON.stringify(asyncApiDocument(builtInEvents)))
const ajv = new Ajv({ strict: false, validateFormats: false })
const messages: { name: string; payload: object; examples: { payload: Payload }[] }[] = Object.values(document.components.messages)
const validators = new Map(messages.map(({ name, payload }) => [name, ajv.compile({ ...payload, components: document.components })]))
const examples = messages.flatMap(({ examples }) => examples.map(({ payload }) => payload))
const PUBLISHED = exampleOf('creation.published.v2')

function exampleOf(type: string): Payload & { data: Record<string, Json> } {
  return examples.find((payload) => payload.type === type) as Payload & { data: Record<string, Json> }
}

const acceptedBySchema = (payload: Payload): boolean => validators.get(payload.type)?.(payload) === true

/** What the decoder says against it; an empty text if nothing. */
function refusal(payload: Payload): string {
  // Late and far down in the log, so that neither time nor sequence is ahead of it.
  const record = {
    position: Number.MAX_SAFE_INTEGER as Position,
    id: 'x',
    subject: JSON.stringify(payload.subject ?? '').replaceAll('"', ''),
    appendedAt: 8.64e15,
  }
  const decoded = decode({ ...record, payload: JSON.stringify(payload) })
  return decoded.outcome === 'event' ? '' : 'reason' in decoded ? decoded.reason : decoded.outcome
}

/** As the document lists it. */
function isBeyondSchemas(payload: Payload, reason: string): boolean {
  const text = JSON.stringify(payload)
  return (
    /speak of another|is about "|http or https address/.test(reason) ||
    (/too big/.test(reason) && /[\u{10000}-\u{10ffff}]/u.test(text)) ||
    (/1 to 40 locales/.test(reason) && text.includes(LONG_TAG))
  )
}

function disagreement(payload: Payload): string | null {
  const [accepted, reason] = [acceptedBySchema(payload), refusal(payload)]
  if (accepted === (reason === '') || (accepted && isBeyondSchemas(payload, reason))) return null
  return `${accepted ? `only the schema accepts it (${reason})` : 'only the decoder accepts it'}: ${JSON.stringify(payload)}`
}

const LONG_TAG = `en-${'verylong-'.repeat(4)}tag`
const languages = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`en-x${String(i).padStart(2, '0')}`, 'text']))
const titled = (title: Json): Payload => ({ ...PUBLISHED, data: { ...PUBLISHED.data, title } })
const covered = (coverUrl: Json): Payload => ({ ...PUBLISHED, data: { ...PUBLISHED.data, coverUrl } })

/** Beside those of test/events/hostile. */
const CASES: [what: string, payload: Payload, accepted: boolean][] = [
  ['an example', PUBLISHED, true],
  ['anything under a long tag', titled({ en: 'A', [LONG_TAG]: 7 }), true],
  ['40 languages and a long tag', titled({ ...languages(40), [LONG_TAG]: 'B' }), true],
  ['an IPv6 address', covered('https://[::1]:8080/a[1]?b=[2]#c'), true],
  ['an address in Unicode', covered('https://bücher.example/ä?ö#ü'), true],
  ['half a pair in an address', covered('https://a.example/\ud800'), false],
  ['half a pair in the id', { ...PUBLISHED, id: 'a\udc00' }, false],
  ['a time in small letters', { ...PUBLISHED, time: '2026-01-01t00:00:00z' }, false],
  ['a leap second', { ...PUBLISHED, time: '2016-12-31T23:59:60Z' }, false],
  ['a time with an offset', { ...PUBLISHED, time: '2026-01-01T00:00:00.123456+05:30' }, true],
  ['a time without seconds', { ...PUBLISHED, time: '2026-01-01T00:00Z' }, false],
]

for (const [what, payload, accepted] of CASES) {
  t.test(what, async (t) => {
    t.equal(acceptedBySchema(payload), accepted, 'by the schema')
    t.equal(refusal(payload) === '', accepted, `by the decoder ${refusal(payload)}`)
  })
}

const signs = (...unit: string[]) => fc.string({ unit: fc.constantFrom(...unit), maxLength: 12 })
const text = fc.oneof(
  signs('a', 'é', '\ud800', '\udc00', '😀', '\n', '\t', '\u0007', '\u007f', '\u2028', ' '),
  fc.string({ maxLength: 300 }),
)
const address = fc
  .tuple(
    fc.constantFrom('https://', 'http://', 'HTTPS://', 'https:///', 'https:', 'ftp://', ''),
    signs(...'aA0.:/?#[]@%4^|{}`~-_é😀\u0001\u00a0 "'),
  )
  .map((parts) => parts.join(''))
const time = fc
  .tuple(
    fc.constantFrom('2026-01-01', '2024-02-29', '2023-02-29', '0000-01-01', '2026-13-01', '26-01-01'),
    fc.constantFrom('T', 't', ' '),
    fc.constantFrom('00:00:00', '23:59:60', '24:00:00', '12:30', '12:30:15.5', '12:30:15.', '12:30:15,5'),
    fc.constantFrom('Z', 'z', '', '+00:00', '-23:59', '+24:00', '+0100', '+01'),
  )
  .map((parts) => parts.join(''))
const tag = fc.oneof(fc.constantFrom('en', 'de-AT', 'x', 'zh-Hant-TW', 'en_US', '', LONG_TAG), signs('a', 'B', '1', '-'))
const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(null, true, 0, -1, 1.5, 2 ** 53, 1e9, '', '1.0', [], {}, ['a'], [{ label: 'a', url: 'https://a.example' }]),
  ...[text, address, time, fc.array(text, { maxLength: 14 }), fc.dictionary(tag, text), fc.dictionary(tag, odd0(), { maxKeys: 3 })],
  fc.nat(45).map(languages),
)

function odd0(): fc.Arbitrary<Json> {
  return fc.constantFrom<Json[]>(null, 7, 'text')
}

/** Replaces or drops one value, at any depth. */
function changed(value: Json, path: readonly number[], by: Json | undefined): Json | undefined {
  const [step, ...rest] = path
  if (step === undefined || typeof value !== 'object' || value === null) return by
  const keys = Object.keys(value).filter((key) => key !== 'type')
  const chosen = keys[step % Math.max(1, keys.length)]
  if (chosen === undefined) return by
  const inner = changed((value as Record<string, Json>)[chosen] ?? null, rest, by)
  if (Array.isArray(value)) return value.flatMap((item, i) => (String(i) !== chosen ? [item] : inner === undefined ? [] : [inner]))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (key !== chosen ? [[key, item]] : inner === undefined ? [] : [[key, inner]])),
  )
}

await holds(
  t,
  'schema and decoder agree',
  fc.tuple(fc.constantFrom(...examples), fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }), fc.option(odd, { nil: undefined, freq: 8 })),
  async ([payload, path, by]) => {
    const found = disagreement(changed(payload, path, by) as Payload)
    if (found !== null) throw new Error(found)
  },
  20_000,
)
await holds(
  t,
  'on addresses',
  address,
  async (url) => {
    const found = disagreement(covered(url))
    if (found !== null) throw new Error(found)
  },
  10_000,
)
await holds(
  t,
  'on texts in languages',
  fc.dictionary(tag, text),
  async (title) => {
    const found = disagreement(titled(title))
    if (found !== null) throw new Error(found)
  },
  5000,
)

t.test('the document lists what its schemas cannot say', async (t) => {
  for (const rule of [/equals|same/, /UTF-16/, /URL standard/, /five minutes/, /sequence/, /40/]) t.match(document.info.description, rule)
})
