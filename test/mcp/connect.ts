import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Test } from 'tap'
import type { Service } from '../harness/service.js'

/** The newer generation without a handshake, and the older one with `initialize`. */
export const GENERATIONS = ['2026-07-28', '2025-11-25'] as const
export type Generation = (typeof GENERATIONS)[number]

/** The SDK's own client, connected over a socket until the test ends. */
export async function connect(t: Test, url: string, generation: Generation): Promise<Client> {
  const mode = generation === '2026-07-28' ? { pin: generation } : ('legacy' as const)
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  t.teardown(() => client.close())
  return client
}

export interface Endpoints {
  /** The product's server under its three addresses, the canonical one first. */
  product: [string, string, string]
  docs: string
}

export async function listen(service: Service): Promise<Endpoints> {
  const api = `http://127.0.0.1:${await service.listen(service.api)}`
  const web = `http://127.0.0.1:${await service.listen(service.web)}`
  return { product: [`${api}/mcp`, `${web}/api/mcp`, `${web}/webmcp`], docs: `${web}/mcp` }
}
