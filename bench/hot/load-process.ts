/**
 * Entry of the load generator: a separate process, so that it does not count in its own measurement. Configured on standard
 * input what to ask for; prints how many answers came. One request at a time on each connection, as browsers do.
 */
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Load {
  port: number
  connections: number
  seconds: number
  /** Addresses, drawn by Zipf's law, the first most often. */
  urls: string[]
  /** With If-None-Match: for each address the tag that came with it last, as a browser would. These are the first ones. */
  tags?: string[]
  /** Any other status ends it; 304 counts where it was asked for. A shed request is repeated and not counted. */
  expected: readonly number[]
}

export interface LoadResult {
  answers: number
  seconds: number
}

const load = JSON.parse(await text(process.stdin)) as Load
const tags = load.tags ?? []
const requests = load.urls.map((url, i) => requestFor(url, tags[i]))
const draw = zipf(requests.length)
const TURNED_AWAY = 503
const HEAD_END = Buffer.from('\r\n\r\n')
let answers = 0
let over = false

const began = performance.now()
const sockets = Array.from({ length: load.connections }, () => drive(connect(load.port, '127.0.0.1')))
await new Promise((resolve) => setTimeout(resolve, load.seconds * 1000))
over = true
const seconds = (performance.now() - began) / 1000
for (const socket of sockets) socket.destroy()
console.log(JSON.stringify({ answers, seconds } satisfies LoadResult))

function drive(socket: Socket): Socket {
  socket.setNoDelay(true)
  let missing = 0
  let rest: Buffer | null = null
  let asked = 0
  let isAnswer = true
  const next = () => {
    asked = draw()
    if (!over) socket.write(requests[asked] ?? '')
  }
  socket.on('connect', next)
  socket.on('error', (error) => {
    if (over) return
    console.error(error)
    process.exit(1)
  })
  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) {
      missing -= chunk.length
      if (missing > 0) return
    } else {
      rest = rest === null ? chunk : Buffer.concat([rest, chunk])
      const end = rest.indexOf(HEAD_END)
      if (end < 0) return
      const head = rest.toString('latin1', 0, end)
      const status = Number(head.slice(9, 12))
      isAnswer = status !== TURNED_AWAY
      if (isAnswer && !load.expected.includes(status)) {
        console.error(`unexpected: ${head}`)
        process.exit(1)
      }
      if (load.tags !== undefined) learnTag(asked, head)
      missing = lengthIn(head) - (rest.length - end - HEAD_END.length)
      rest = null
      if (missing > 0) return
    }
    missing = 0
    if (isAnswer) answers += 1
    next()
  })
  return socket
}

function requestFor(url: string, tag: string | undefined): Buffer {
  const condition = tag === undefined ? '' : `If-None-Match: ${tag}\r\n`
  return Buffer.from(`GET ${url} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n${condition}\r\n`, 'latin1')
}

function learnTag(asked: number, head: string): void {
  const tag = /^etag: (.*)$/im.exec(head)?.[1]?.trim()
  if (tag === undefined || tag === tags[asked]) return
  tags[asked] = tag
  requests[asked] = requestFor(load.urls[asked] ?? '', tag)
}

function lengthIn(head: string): number {
  return Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
}

/** Which one to ask for next: the nth is asked for as often as one nth of the first. The same for every run. */
function zipf(count: number): () => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let i = 0; i < count; i++) {
    sum += 1 / (i + 1)
    sums[i] = sum
  }
  let state = 12_345
  const drawn = Uint32Array.from({ length: 1 << 17 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const wanted = (state / 2 ** 32) * sum
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return low
  })
  let at = 0
  return () => drawn[at++ & (drawn.length - 1)] ?? 0
}
