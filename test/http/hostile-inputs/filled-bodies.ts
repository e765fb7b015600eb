import { each, type HostileRequest, inBody, post, request } from './hostile-request.js'
import { ALL_TEXTS } from './hostile-texts.js'

/** Values of every wrong kind, each as large as a body can be. */
const WRONG: Readonly<Record<string, unknown>> = {
  'a long list of numbers': Array(31_000).fill(1),
  'a long list of texts': Array(12_000).fill('x'),
  'a long list of objects': Array(20_000).fill({}),
  'a long list of lists': Array(20_000).fill([]),
  'a list of 100': Array(100).fill({}),
  'many fields': Object.fromEntries(Array.from({ length: 6000 }, (_, n) => [`f${n}`, 1])),
  '100 fields': Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field${n}`, 1])),
  'a long name': { ['x'.repeat(60_000)]: 1 },
  'a name of control characters': { ['\u0000'.repeat(9000)]: 1 },
  'a number': 1e308,
  nothing: null,
}
/** Deep values are written as text: `JSON.stringify` would give up. */
const DEEP: Readonly<Record<string, string>> = {
  'deep lists': '['.repeat(30_000) + ']'.repeat(30_000),
  'deep objects': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  'a prototype': `{"__proto__":${'{"__proto__":'.repeat(50)}{"handle":"x"}${'}'.repeat(51)}`,
}
const HOLE = '§'

/** A body with each hostile value in one place, which `place` puts it into. */
export function* bodies(
  host: HostileRequest['host'],
  path: string,
  what: string,
  place: (value: unknown) => unknown,
): Generator<HostileRequest> {
  const withText = (text: string) => JSON.stringify(place(HOLE)).replaceAll(`"${HOLE}"`, () => text)
  yield* each(ALL_TEXTS, (kind, make) => request(host, `${what}: ${kind}`, (round) => post(path, place(inBody(make, round)))))
  yield* each(ALL_TEXTS, (kind, make) =>
    request(host, `${what}: ${kind}, short`, (round) => post(path, place(`${round} ${make(190)}`.slice(0, 190)))),
  )
  yield* each(WRONG, (kind, value) => request(host, `${what}: ${kind}`, () => post(path, place(value))))
  yield* each(DEEP, (kind, value) => request(host, `${what}: ${kind}`, () => post(path, withText(value))))
}

/** A value in a field that may be nested: `set('a.b', 1)` is `{a: {b: 1}}`. */
export const set = (path: string, value: unknown): unknown =>
  path.split('.').reduceRight<unknown>((inner, name) => (name === '*' ? [inner] : { [name]: inner }), value)
