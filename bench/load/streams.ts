/** Many answers streamed at the same time, each held open by a language model that takes its time. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { COMMUNITY } from '../../test/harness/community.js'
import { DataFolder } from '../../test/harness/data-folder.js'
import { Serving } from '../../test/harness/program.js'
import { request } from '../../test/harness/sockets.js'
import { listening } from '../../test/support/listening.js'
import type { Figure } from '../figures.js'
import { TeardownStack } from '../servers.js'

/** Few enough not to be turned away by the admission controller. */
const AT_ONCE = 30
const READS = 20
const BODY = JSON.stringify({ query: 'How much does it cost?', prefer: { streaming: true } })
const REQUEST = `POST /ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n${BODY}`

export async function benchStreams(count: number): Promise<Figure[]> {
  const teardowns = new TeardownStack()
  try {
    const folder = await DataFolder.of(teardowns, ...COMMUNITY)
    // Never answers: the service waits for as long as it may, which is long enough to open all the others.
    const model = createServer(() => {})
    const port = await listening(model)
    teardowns.teardown(() => {
      model.closeAllConnections()
      model.close()
    })
    const args = ['--rate-limit-agent', 'off', '--ask-llm-url', `http://127.0.0.1:${port}/v1`, '--ask-llm-timeout', '15']
    const serving = await Serving.start(teardowns, folder.path, args)
    await serving.ready()

    const open = new Set<number>()
    let openAtOnce = 0
    const stream = async (n: number, begun: () => void): Promise<boolean> => {
      const socket = connect(serving.web, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(REQUEST)
      let received = ''
      socket.on('data', (chunk) => {
        received += chunk
        if (received.includes('event: complete')) open.delete(n)
        else if (received.includes('event: start')) open.add(n)
        openAtOnce = Math.max(openAtOnce, open.size)
        begun()
      })
      await once(socket, 'close')
      begun()
      open.delete(n)
      return received.includes('event: complete')
    }
    const streams: Promise<boolean>[] = []
    const began = performance.now()
    while (streams.length < count) {
      const some = Array.from({ length: Math.min(AT_ONCE, count - streams.length) }, (_, n) => streams.length + n)
      await Promise.all(some.map((n) => new Promise<void>((begun) => streams.push(stream(n, begun)))))
    }
    const openedInMs = Math.round(performance.now() - began)
    const slowestReadMs = await slowest(() => request(serving.api, '/public/share/tags'))
    const { body } = await request(serving.admin, '/metrics')
    const resident = Number(/^vitrine_process_resident_memory_bytes (\S+)/m.exec(body)?.[1])
    const completed = (await Promise.all(streams)).filter(Boolean).length
    return [
      {
        name: `of ${count} streamed answers open at once, completed`,
        value: completed,
        unit: '',
        reference: `${openAtOnce} open, in ${openedInMs} ms; ${Math.round(resident / 1e6)} MB resident; the slowest read ${slowestReadMs} ms`,
        goal: `${count}`,
        met: openAtOnce === count && completed === count,
      },
    ]
  } finally {
    await teardowns.all()
  }
}

async function slowest(read: () => Promise<unknown>): Promise<number> {
  let most = 0
  for (let n = 0; n < READS; n += 1) {
    const began = performance.now()
    await read()
    most = Math.max(most, performance.now() - began)
  }
  return Math.round(most)
}
