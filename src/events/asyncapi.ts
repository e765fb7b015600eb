/** The AsyncAPI document for the backend team, generated from the schemas that Vitrine parses events with. */
import { z } from 'zod'
import { exampleOf } from '../../content/event-examples.js'
import { Envelope } from './decode.js'
import type { EventType } from './event-type.js'
import type { EventTypes } from './event-types.js'

export function asyncApiDocument(eventTypes: EventTypes) {
  const { aggregates } = eventTypes
  const types = aggregates.flatMap((kind) => versionsOn(kind, eventTypes))
  const about = (kind: string) => types.filter(({ aggregate }) => aggregate === kind)
  return {
    asyncapi: '3.0.0',
    info: { title: 'Vitrine upstream events', version: '1.0.0', description: DESCRIPTION, license: { name: 'MIT' } },
    defaultContentType: 'application/cloudevents+json',
    channels: Object.fromEntries(aggregates.map((kind) => [kind, channel(kind, about(kind))])),
    operations: Object.fromEntries(aggregates.map((kind) => [`receive-${kind}-events`, receiveOperation(kind, about(kind))])),
    components: {
      messages: Object.fromEntries(types.map((type) => [type.name, message(type)])),
      schemas: {
        CloudEvent: { description: 'CloudEvents 1.0 in JSON structured mode.', ...jsonSchema(Envelope) },
        NatsHeaders: NATS_HEADERS,
        ...Object.fromEntries(types.map(({ name, schema }) => [name, jsonSchema(schema)])),
      },
    },
  }
}

const STREAM = 'APP_EVENTS'

const DESCRIPTION = [
  `The private backend publishes CloudEvents 1.0 in JSON structured mode to the NATS JetStream stream \`${STREAM}\`, under one subject per aggregate: \`app.events.<aggregate>.<id>\`. The position of an event is its stream sequence. \`sequence\` in the envelope is the revision of the aggregate: it counts the aggregate's own events, from 1.`,
  'The header `Nats-Msg-Id` is the id of the event, so that JetStream drops what is published twice. Redelivery and duplicates never count twice in Vitrine either.',
  'Types carry a version. An older version stays valid: Vitrine turns it into the newest. Unknown fields are ignored; unknown types are counted and skipped. A known type in an unknown version, or one that does not match its schema, goes to the dead letters; later events of the same aggregate are applied. A text under a language tag of more than 35 characters is dropped; an event without any other text does not match its schema.',
  `The schemas say what Vitrine accepts, except for these rules, which JSON Schema cannot say:

- \`subject\` equals the aggregate and its id in \`data\`, and the subject under which the event was published.
- \`time\` is at most five minutes after the log received the event. Removals may have any time.
- \`sequence\` is not more than 1,000,000,000 above the position of the event in the log. Removals may have any.
- A length counts UTF-16 code units, where JSON Schema counts characters: an emoji counts twice.
- A web address is one by the URL standard, with a valid host and port.
- Beside language tags that are dropped, there are at most 40 others.`,
].join('\n\n')

const NATS_HEADERS = {
  type: 'object',
  description: 'Headers of the NATS message.',
  properties: { 'Nats-Msg-Id': { type: 'string', description: 'The id of the event.' } },
  required: ['Nats-Msg-Id'],
}

/** One event type in one version. */
interface Version {
  /** As in the envelope: `creation.published.v2`. */
  name: string
  newest: string
  aggregate: string
  key: string
  /** Its place among the types of its aggregate: the examples tell one story in this order. */
  order: number
  summary: string
  schema: z.ZodType
  /** An older version of a custom type has none. */
  example: Readonly<Record<string, unknown>> | undefined
}

const versionsOn = (aggregate: string, types: EventTypes): Version[] =>
  types
    .entries()
    .filter(([, type]) => type.aggregate === aggregate)
    .flatMap(([name, type], i) => versionsOf(name, type, i + 1))

/** Newest first. */
function versionsOf(event: string, { aggregate, key, summary, version, schema, older, example }: EventType, order: number): Version[] {
  const newest = `${event}.v${version}`
  const schemas = [...Object.entries(older).map(([number, { schema }]) => [Number(number), schema] as const), [version, schema] as const]
  return schemas
    .sort(([a], [b]) => b - a)
    .map(([number, schema]) => {
      const name = `${event}.v${number}`
      const data = example === undefined ? exampleOf(name) : name === newest ? example : undefined
      return { name, newest, aggregate, key, order, summary, schema, example: data }
    })
}

function channel(kind: string, types: readonly Version[]) {
  return {
    address: `app.events.${kind}.{id}`,
    title: `Events of one ${kind}`,
    description: `A subject of the JetStream stream \`${STREAM}\`. Publish the events of one ${kind} in the order of their \`sequence\`.`,
    parameters: { id: { description: `Id of the ${kind}, as in the second half of \`subject\`.` } },
    messages: Object.fromEntries(types.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }])),
    'x-jetstream': { stream: STREAM, filter: `app.events.${kind}.*` },
  }
}

function receiveOperation(kind: string, types: readonly Version[]) {
  return {
    action: 'receive',
    summary: `Vitrine folds the events of every ${kind} into its read models.`,
    channel: { $ref: `#/channels/${kind}` },
    messages: types.map(({ name }) => ({ $ref: `#/channels/${kind}/messages/${name}` })),
  }
}

function message(version: Version) {
  const { name, newest, aggregate, key, summary } = version
  const isOld = name !== newest
  return {
    name,
    title: name,
    summary: isOld ? `${summary} Superseded by ${newest}.` : summary,
    contentType: 'application/cloudevents+json',
    ...(isOld ? { 'x-superseded-by': newest } : {}),
    headers: { $ref: '#/components/schemas/NatsHeaders' },
    payload: {
      allOf: [
        { $ref: '#/components/schemas/CloudEvent' },
        {
          type: 'object',
          properties: {
            type: { const: name },
            subject: { type: 'string', pattern: `^${aggregate}/`, description: `\`${aggregate}/\` and \`data.${key}\`.` },
            data: { $ref: `#/components/schemas/${name}` },
          },
        },
      ],
    },
    examples: version.example === undefined ? [] : [example(version, version.example)],
  }
}

function example({ name, aggregate, key, order }: Version, data: Readonly<Record<string, unknown>>) {
  const id = `evt-${name.replaceAll(/[._]/g, '-')}`
  const payload = {
    specversion: '1.0',
    id,
    source: 'https://backend.vitrine.example/events',
    type: name,
    subject: `${aggregate}/${data[key]}`,
    time: '2026-03-02T09:15:00.000Z',
    sequence: order,
    datacontenttype: 'application/json',
    data,
  }
  return { name, headers: { 'Nats-Msg-Id': id }, payload }
}

/** The input form, in which fields with a default are optional. AsyncAPI schemas are JSON Schema draft 7. */
function jsonSchema(schema: z.ZodType): object {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-07',
    // The pattern is what the decoder uses. The format would allow small letters and leap seconds.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.format
    },
  })
  return converted
}
