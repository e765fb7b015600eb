import specs from '@asyncapi/specs'
import { Ajv } from 'ajv'
import t from 'tap'
import { asyncApiDocument } from '../../src/events/asyncapi.js'
import { builtInEvents, catalogue, EVENT_NAMES, type Position, versionedType } from '../../src/events/index.js'
import { decode } from '../support/decode.js'

const document = asyncApiDocument(builtInEvents)
const messages = Object.values(document.components.messages)

t.test('it is AsyncAPI 3.0 by the official JSON Schema', async (t) => {
  // The official schema brings its own copy of the draft-07 meta-schema, and formats ajv does not know.
  const ajv = new Ajv({ strict: false, validateFormats: false, meta: false, allErrors: true })
  const valid = ajv.compile(specs.schemas['3.0.0'])
  t.ok(valid(printed(document)), JSON.stringify(valid.errors, null, 2))
  t.notOk(valid({ ...document, channels: { creation: { address: 7 } } }), 'the schema really looks at channels')
})

t.test('every type is there in every version', async (t) => {
  const expected = EVENT_NAMES.flatMap((name) => [
    versionedType(name),
    ...Object.keys(catalogue[name].older).map((number) => versionedType(name, Number(number))),
  ])
  t.same(messages.map(({ name }) => name).sort(), expected.sort())
  t.ok(expected.includes('creation.published.v1') && expected.includes('creation.published.v2'))
})

t.test('every message is on the channel of its aggregate, and Vitrine receives it', async (t) => {
  for (const [kind, channel] of Object.entries(document.channels)) {
    t.equal(channel.address, `app.events.${kind}.{id}`)
    const expected = EVENT_NAMES.filter((name) => catalogue[name].aggregate === kind)
    t.same(new Set(Object.keys(channel.messages).map(withoutVersion)), new Set(expected))
    const operation = document.operations[`receive-${kind}-events`]
    t.equal(operation?.action, 'receive')
    t.same(
      operation?.messages.map(({ $ref }) => $ref),
      Object.keys(channel.messages).map((name) => `#/channels/${kind}/messages/${name}`),
    )
  }
})

t.test('every reference leads somewhere', async (t) => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? '')
  t.ok(references.length > 0)
  for (const path of new Set(references)) t.ok(at(document, path.split('/')), path)
})

for (const { name, payload: schema, examples } of messages) {
  t.test(`the example of ${name}`, async (t) => {
    const ajv = new Ajv({ strict: false, formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) } })
    const valid = ajv.compile({ ...schema, components: document.components })
    for (const { payload, headers } of examples) {
      t.ok(valid(payload), JSON.stringify(valid.errors))
      t.notOk(valid({ ...payload, type: 'creation.imagined.v1' }), 'another type does not match')
      t.notOk(valid({ ...payload, data: {} }), 'data are looked at')
      t.equal(headers['Nats-Msg-Id'], payload.id)
      const decoded = decode({
        position: 1 as Position,
        id: payload.id,
        subject: payload.subject,
        payload: JSON.stringify(payload),
        appendedAt: Date.parse(payload.time),
      })
      t.match(decoded, { outcome: 'event', event: { name: withoutVersion(name) } })
    }
  })
}

function withoutVersion(type: string): string {
  return type.replace(/\.v\d+$/, '')
}

/** As it leaves the process: without what JSON drops. */
function printed(value: object): unknown {
  return JSON.parse(JSON.stringify(value))
}

function at(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], value)
}
