import type { Exchange } from './exchange.js'
import type { McpService } from './service.js'

/** The headers that mirror the body since the first revision without a handshake. */
export interface McpHeaders {
  version: string | undefined
  method: string | undefined
  name: string | undefined
}

export interface McpReply {
  status: number
  /** JSON, or nothing for a notification. */
  body: string | null
}

/** One MCP server over Streamable HTTP, both generations of the protocol on one address, and nothing kept between requests. */
export class McpEndpoint {
  readonly service: McpService
  readonly #failed: (error: unknown) => void
  #exchange: Promise<Exchange> | null = null

  constructor(service: McpService, failed: (error: unknown) => void) {
    this.service = service
    this.#failed = failed
  }

  /** `message` is any JSON at all. */
  async answer(message: unknown, headers: McpHeaders): Promise<McpReply> {
    this.#exchange ??= this.#open()
    return (await this.#exchange).answer(message, headers)
  }

  /** A body that is no JSON, or none at all. */
  async unreadable(): Promise<McpReply> {
    this.#exchange ??= this.#open()
    return (await this.#exchange).unreadable()
  }

  /** The SDK takes a while to load: no reader should have to wait for it at the start. */
  async #open(): Promise<Exchange> {
    const { Exchange } = await import('./exchange.js')
    return new Exchange(this.service, this.#failed)
  }
}
