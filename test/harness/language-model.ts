/** Stand-ins for the service of a language model. */
import { createServer, type RequestListener } from 'node:http'
import type { Test } from 'tap'
import { listening } from '../support/listening.js'

/** What a service of chats answers when its model says this. */
export const saying =
  (content: unknown): RequestListener =>
  (_request, response) => {
    response.end(JSON.stringify({ choices: [{ message: { content } }] }))
  }

/** Serves until the test is over; the address to configure. */
export async function serveModel(t: Pick<Test, 'teardown'>, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  const port = await listening(server)
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}/v1`
}

/** What goes wrong between two machines, whatever the model says. */
export const BROKEN: readonly [string, RequestListener][] = [
  ['fails', (_request, response) => response.writeHead(500).end('{}')],
  ['sends no JSON', (_request, response) => response.end('<html>')],
  ['answers with something else', saying({ tool: 'x' })],
  ['sends us elsewhere', (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  ['never stops', (_request, response) => response.end(`{"choices": "${'x'.repeat(100_000)}"}`)],
  [
    'breaks off',
    (_request, response) => response.writeHead(200, { 'content-length': 500 }).write('{"choices": [', () => response.destroy()),
  ],
  ['stalls', () => {}],
  ['stalls half-way', (_request, response) => void response.write('{"choices": [')],
]

/** Only a model that stalls needs the short time. */
export const patienceWith = (behaviour: string): number => (behaviour.startsWith('stalls') ? 50 : 10_000)
