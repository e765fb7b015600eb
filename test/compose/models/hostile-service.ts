/** A started service with a model whose reads do what they should not. */
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { folderWith } from '../../adapters/folder.js'
import type { Response } from '../../harness/answers.js'
import { Serving, spawnVitrine } from '../../harness/program.js'

const SOURCE = `
import { inspect } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { declared, defineModels, event, id, latest, read, state, text as words, z } from 'vitrine'

const planted = event({
  name: 'bed.planted', summary: 'A bed was planted.', schema: z.object({ bedId: id, title: words(100) }),
  example: { bedId: 'b_1', title: 'Roses' },
})
const bed = state('bed', { title: latest('') }, { name: 'beds' }).index('byTitle', ['title'])
const beds = bed.documents
const gardens = declared({
  name: 'gardens', version: 1, events: [planted], keeps: [bed], on: { 'bed.planted': ({ data }) => bed({ title: data.title }) },
})

const hostile = (name: string, input: any, output: any, example: any, run: any) =>
  read({ name, path: '/' + name, summary: name, description: name, input: z.object(input), output: z.object(output), example, run })
const text = z.string()

const hang = hostile('hang', { id: text }, { id: text }, { input: { id: '1' }, output: { id: '1' } }, () => new Promise(() => {}))
const quick = hostile('quick', { id: text }, { id: text }, { input: { id: '1' }, output: { id: '1' } }, async (_: any, { id }: any) => ({ id }))

const trap = () => { throw new Error('in a trap') }
const unreadable = () => new Proxy(new Error(), { get: trap, has: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap })
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
const nested = () => {
  let error = new Error('innermost')
  for (let i = 0; i < 50_000; i++) error = new Error('cause ' + i, { cause: error })
  return error
}
const thrown: Record<string, () => unknown> = {
  status: () => Object.assign(new Error('a secret'), { statusCode: 418 }),
  text: () => 'a secret',
  nothing: () => undefined,
  getter: () => Object.defineProperty(new Error(), 'statusCode', { get: trap }),
  message: () => Object.defineProperty(new Error(), 'message', { get: trap }),
  proxy: unreadable,
  revoked,
  child: () => Object.create(unreadable()),
  causes: nested,
  large: () => new Error('large '.repeat(8_000_000)),
}
const throwing = (how: string): string => {
  if (how in thrown) throw thrown[how]?.()
  return how
}
const fail = hostile(
  'fail',
  { how: text.optional(), parsing: text.transform(throwing).optional() },
  { how: text },
  { input: { how: 'status' }, output: { how: 'status' } },
  async (_: any, { how }: any) => ({ how: throwing(how) }),
)

const turned = hostile(
  'turned',
  { set: text.transform((each) => new Set([each])).optional(), pattern: text.transform((each) => new RegExp(each)).optional(),
    number: text.transform(Number).optional(), big: text.transform(BigInt).optional(), unset: text.default('5').transform(BigInt), any: z.any().optional() },
  { shown: text },
  { input: { big: '1' }, output: { shown: '' } },
  async (_: any, input: any) => ({ shown: inspect(input) }),
)

const faults: Record<string, (model: any) => void> = {
  rejection: () => void Promise.reject(new Error('a rejection')),
  text: () => void Promise.reject('a text'),
  timer: () => void setTimeout(() => { throw new Error('a timer') }),
  later: () => void setTimeout(async () => { await null; throw new Error('later') }, 5),
  getter: () => void Promise.reject(Object.defineProperty(new Error(), 'message', { get() { throw new Error('in a getter') } })),
  proxy: () => void Promise.reject(unreadable()),
  revoked: () => void setTimeout(() => { throw revoked() }),
  revokedRejection: () => void Promise.reject(revoked()),
  causes: () => void Promise.reject(nested()),
  large: () => void Promise.reject(new Error('large '.repeat(8_000_000))),
  read: (model) => void model('gardens').range(beds, { index: 'byColour', equals: [], limit: 1 }),
}
const stray = hostile('stray', { how: text }, { how: text }, { input: { how: 'timer' }, output: { how: 'timer' } }, async ({ model }: any, { how }: any) => {
  faults[how]?.(model)
  return { how }
})

const large = hostile(
  'large',
  { bytes: z.int(), of: text.default('a') },
  { parts: z.array(text) },
  { input: { bytes: 1 }, output: { parts: ['a'] } },
  async (_: any, { bytes, of }: any) => ({ parts: of === 'many' ? Array(bytes / 4).fill('a') : [(of === 'nul' ? '\\0' : of).repeat(bytes)] }),
)

const hold = hostile(
  'hold',
  { ms: z.int(), pattern: z.string().regex(/^(a+)+$/).optional() },
  { ms: z.int() },
  { input: { ms: 1 }, output: { ms: 1 } },
  async ({ model }: any, { ms }: any) => {
    await model('gardens').get(beds, ['b_1'])
    for (const end = Date.now() + ms; Date.now() < end; );
    return { ms }
  },
)

const queries: Record<string, (value: any) => object> = {
  equals: (value) => ({ index: 'byTitle', equals: [value], limit: 10 }),
  after: (value) => ({ index: 'byTitle', equals: [], after: [value, ''], limit: 10 }),
  lastId: (value) => ({ index: 'byTitle', equals: ['Roses'], after: [value], limit: 10 }),
  startsWith: (value) => ({ index: 'byTitle', equals: [], startsWith: value, limit: 10 }),
  allEquals: (value) => ({ index: 'byTitle', equals: value, limit: 1 }),
  allAfter: (value) => ({ index: 'byTitle', equals: [], after: value, limit: 1 }),
  idEquals: (value) => ({ index: '_id', equals: value, limit: 1 }),
  limit: (value) => ({ index: '_id', equals: [], limit: value }),
}
const find = hostile(
  'find',
  { how: text, value: z.any() },
  { found: z.array(text) },
  { input: { how: 'get', value: 'b_1' }, output: { found: ['b_1'] } },
  async ({ model }: any, { how, value }: any) => {
    const garden = model('gardens')
    if (how === 'get') return { found: (await garden.get(beds, [value])).flatMap((bed: any) => bed?._id ?? []) }
    if (how === 'atMost') return { found: Array(await garden.count(beds, queries.equals?.('Roses'), value)).fill('?') }
    if (how === 'count') return { found: Array(await garden.count(beds, queries.equals?.(value))).fill('?') }
    return { found: (await garden.range(beds, queries[how]?.(value))).map(({ _id }: any) => _id) }
  },
)

// Not within a read.
if (isMainThread) process.once('SIGUSR2', () => { throw new Error('outside custom reads') })

export default defineModels({ namespace: 'gardens', events: [planted], models: [{ projection: gardens, reads: [hang, quick, stray, large, hold, find, fail, turned] }] })
`

const planted = (bedId: string, title: string): string =>
  JSON.stringify({
    ...{ specversion: '1.0', id: bedId, source: '/test', type: 'bed.planted.v1', subject: `bed/${bedId}` },
    ...{ time: '2026-03-01T00:00:00Z', sequence: 1, data: { bedId, title } },
  })

/** The address that a request comes from. */
export type Caller = `127.0.${number}.${number}`

export class HostileService {
  static async start(t: Test, ...args: readonly string[]): Promise<HostileService> {
    const folder = folderWith()
    await mkdir(join(folder, 'gardens'))
    await writeFile(join(folder, 'gardens/index.ts'), SOURCE)
    await writeFile(
      join(folder, 'gardens/package.json'),
      JSON.stringify({ type: 'module', exports: './index.ts', peerDependencies: { vitrine: '*' } }),
    )
    const env = { MODELS: join(folder, 'gardens') }
    const data = join(folder, 'data')
    const events = [planted('b_1', 'Roses'), planted('b_2', 'Lilies')].join('\n')
    const publish = (input: string) => spawnVitrine(['publish', '-', '--data-dir', data, ...args], { env, input })
    const { code, stderr } = await publish(events)
    if (code !== 0) throw new Error(stderr)
    const serving = await Serving.start(t, data, ['--rate-limit-mcp', 'off', '--rate-limit-agent', 'off', ...args], env)
    await serving.ready()
    return new HostileService(serving, publish)
  }

  private constructor(
    readonly serving: Serving,
    readonly publish: (events: string) => Promise<{ code: number | null }>,
  ) {}

  /** A custom read, by REST. */
  own(name: string, input: Record<string, string | number>, caller?: Caller): Promise<Response> {
    const query = Object.entries(input).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    return this.get(`/public/share/x/gardens/${name}?${query.join('&')}`, caller)
  }

  get(path: string, caller?: Caller): Promise<Response> {
    return send(this.serving.api, path, caller)
  }

  /** One read in a batch. */
  async batch(operation: string, input: object, caller?: Caller): Promise<{ status: number; data?: unknown; message?: string }> {
    const { statusCode, body } = await send(this.serving.web, '/batch', caller, {
      requests: [{ id: '1', operation, arguments: input }],
    })
    return statusCode === 200 ? JSON.parse(body).responses[0] : { status: statusCode }
  }

  async tool(name: string, input: object, caller?: Caller): Promise<{ isError?: boolean; structuredContent?: unknown }> {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
    const { statusCode, body } = await send(this.serving.api, '/mcp', caller, call)
    return statusCode === 200 ? JSON.parse(body).result : { isError: true }
  }

  async metrics(): Promise<string> {
    return (await send(this.serving.admin, '/metrics')).body
  }

  /** What the log says of custom reads. */
  get faults(): { operation: string; models: string; msg: string; err?: { message: string } }[] {
    return this.serving.stderr
      .split('\n')
      .filter((line) => line.includes('"models":"gardens"'))
      .map((line) => JSON.parse(line))
  }
}

async function send(port: number, path: string, caller: Caller = '127.0.0.1', body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const agent = new Agent({ localAddress: caller })
  const outgoing = httpRequest({ host: '127.0.0.1', port, path, method: body === undefined ? 'GET' : 'POST', headers, agent })
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(outgoing, 'response')
  const answer = { statusCode: response.statusCode, headers: response.headers, body: await text(response) }
  // On an overloaded machine any request may be refused. It is sent again.
  return answer.body.includes('too much to do right now') ? send(port, path, caller, body) : answer
}
