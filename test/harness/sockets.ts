import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Response } from './answers.js'

export interface RequestOptions {
  method?: string
  headers?: Record<string, string>
  /** Keeps the connection for the next request, as browsers do. */
  agent?: Agent
  body?: string
  /** Who the caller is: any 127.x.x.x. */
  localAddress?: string
}

/** A request over a real socket, with the path exactly as given: `fetch` and `inject` would normalise it first. */
export async function request(
  port: number,
  path: string,
  { method = 'GET', headers = {}, agent, body, localAddress }: RequestOptions = {},
): Promise<Response> {
  const outgoing = httpRequest({ host: '127.0.0.1', port, path, method, headers, localAddress, agent: agent ?? new Agent() })
  outgoing.end(body)
  const [response] = await once(outgoing, 'response')
  return { statusCode: response.statusCode, headers: response.headers, body: await text(response) }
}

/** Sends any bytes, and resolves with everything that comes back before the server closes the connection. */
export async function sendRaw(port: number, ...chunks: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  // The server may close while there is still something to send; what it sent before counts.
  socket.on('error', () => {})
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  for (const chunk of chunks) socket.write(chunk)
  await once(socket, 'close')
  return Buffer.concat(received).toString('latin1')
}

/** Splits the bytes of one connection into answers. */
export function answersIn(received: string): { statusCode: number; body: string }[] {
  const answers: { statusCode: number; body: string }[] = []
  for (let rest = received; rest !== ''; ) {
    const [head = ''] = rest.split('\r\n\r\n', 1)
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    const begin = head.length + 4
    answers.push({ statusCode: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]), body: rest.slice(begin, begin + length) })
    rest = rest.slice(begin + length)
  }
  return answers
}
