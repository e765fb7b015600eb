import fc from 'fast-check'
import t from 'tap'
import type { z } from 'zod'
import { demoLog } from '../../demo/index.js'
import { catalogue, compiled, Envelope, EVENT_NAMES } from '../../src/events/index.js'
import { projections } from '../support/built-in-models.js'
import { holds } from '../support/property.js'

interface Sample {
  what: string
  schema: z.ZodType
  value: unknown
}

const payloads = [...demoLog({ creators: 100, creations: 1000, seed: 3, webUrl: 'https://vitrine.example' })].map(
  ({ payload }) => JSON.parse(payload) as { type: string; data: unknown },
)

const samples: Sample[] = EVENT_NAMES.flatMap((name) => {
  const { version, schema, older } = catalogue[name] as { version: number; schema: z.ZodType; older: Record<number, { schema: z.ZodType }> }
  const schemas: [number, z.ZodType][] = [
    [version, schema],
    ...Object.entries(older).map(([v, o]): [number, z.ZodType] => [Number(v), o.schema]),
  ]
  return schemas.flatMap(([v, candidate]) => {
    const type = `${name}.v${v}`
    const found = payloads.filter((payload) => payload.type === type).slice(0, 3)
    return found.flatMap((value) => [
      { what: type, schema: candidate, value: value.data },
      { what: `envelope of ${type}`, schema: Envelope, value },
    ])
  })
})

/** Values that schemas stumble over. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, false, 0, -0, -1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '', ' ', [], {}),
  fc.string({ maxLength: 250 }),
  fc.constantFrom('\ud800', '\u0000', 'https://a.example', 'javascript:alert(1)', '2026-02-30T00:00:00Z', '2026-01-01', '😀'.repeat(101)),
  fc.array(fc.string(), { maxLength: 14 }),
  fc.dictionary(fc.constantFrom('en', 'de-AT', 'x', '1', '__proto__'), fc.string()),
)

type Change = { at: number; deep: boolean; how: 'replace' | 'drop' | 'add' | 'reverse'; by: unknown }

const changes = fc.array(
  fc.record<Change>({ at: fc.nat(40), deep: fc.boolean(), how: fc.constantFrom('replace', 'drop', 'add', 'reverse'), by: odd }),
  { maxLength: 2 },
)

function changed(value: unknown, { at, deep, how, by }: Change): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return by
  const entries = Object.entries(value)
  const [key, member] = entries[at % Math.max(1, entries.length)] ?? ['none', undefined]
  if (how === 'add') return { ...value, surprise: by }
  if (how === 'reverse') return Object.fromEntries(entries.toReversed())
  if (how === 'drop') return Object.fromEntries(entries.filter(([name]) => name !== key))
  return { ...value, [key]: deep ? changed(member, { at, deep: false, how, by }) : by }
}

/** With the order of the keys, which ends up in the documents. */
const verdict = (schema: z.ZodType, value: unknown): string => {
  const { success, data, error } = schema.safeParse(value)
  return success ? `taken ${JSON.stringify(data)}` : `refused ${JSON.stringify(error.issues)}`
}

t.test('there are samples of every event in every version', async (t) => {
  const versions = EVENT_NAMES.reduce((sum, name) => sum + 1 + Object.keys(catalogue[name].older).length, 0)
  t.equal(new Set(samples.map(({ what }) => what)).size, 2 * versions)
  for (const { what, schema, value } of samples) t.match(verdict(compiled(schema), value), /^taken/, what)
})

await holds(
  t,
  'a compiled schema of an event takes, refuses and explains as it was written',
  fc.tuple(fc.constantFrom(...samples), changes),
  async ([{ schema, value }, all]) => {
    const input = all.reduce(changed, value)
    const expected = verdict(schema, input)
    const found = verdict(compiled(schema), input)
    if (found !== expected) throw new Error(`${found}\ninstead of\n${expected}`)
  },
  3000,
)

await holds(
  t,
  'and so does a compiled schema of a document',
  fc.tuple(fc.constantFrom(...projections.flatMap(({ collections }) => collections)), fc.array(fc.tuple(fc.string(), odd)), odd),
  async ([{ schema }, fields, alone]) => {
    for (const input of [
      Object.fromEntries(fields),
      alone,
      { _id: 'a', seq: 1, removed: true },
      { _id: 'a', seq: 1, removed: false, ...Object.fromEntries(fields) },
    ]) {
      const expected = verdict(schema, input)
      const found = verdict(compiled(schema), input)
      if (found !== expected) throw new Error(`${found}\ninstead of\n${expected}`)
    }
  },
)
