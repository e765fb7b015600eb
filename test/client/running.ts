/** The whole service on real ports, with a client of it. */
import type { Test } from 'tap'
import { type Client, type ClientOptions, createClient } from '../../src/client/index.js'
import { COMMUNITY } from '../harness/community.js'
import { Service, type ServiceOptions } from '../harness/service.js'

export interface Running {
  service: Service
  client: Client
  apiUrl: string
  webUrl: string
}

/** The client does not wait in earnest, unless told. */
export async function runningService(t: Test, options: ServiceOptions = {}, clientOptions: Partial<ClientOptions> = {}): Promise<Running> {
  const service = await Service.start(t, { events: COMMUNITY, ...options })
  const apiUrl = `http://127.0.0.1:${await service.listen(service.api)}`
  const webUrl = `http://127.0.0.1:${await service.listen(service.web)}`
  return { service, apiUrl, webUrl, client: createClient({ apiUrl, webUrl, wait: async () => {}, ...clientOptions }) }
}

/** A client of a program that was started on these ports. */
export const clientOf = ({ api, web }: { api: number; web: number }): Client =>
  createClient({ apiUrl: `http://127.0.0.1:${api}`, webUrl: `http://127.0.0.1:${web}` })
