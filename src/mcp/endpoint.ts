import type { Exchange } from './message-handler.js'
import type { McpService } from './server-definition.js'

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
  #failures = 0

  constructor(service: McpService, failed: (error: unknown) => void) {
    this.service = service
    this.#failed = failed
  }

  /** `message` is any JSON at all. */
  async answer(message: unknown, headers: McpHeaders): Promise<McpReply> {
    return (await this.#opened()).answer(message, headers)
  }

  /** A body that is no JSON, or none at all. */
  async unreadable(): Promise<McpReply> {
    return (await this.#opened()).unreadable()
  }

  #opened(): Promise<Exchange> {
    this.#exchange ??= this.#open().catch((error) => {
      this.#exchange = null
      this.#failures += 1
      throw error
    })
    return this.#exchange
  }

  /** The SDK takes a while to load: no reader should have to wait for it at the start. */
  async #open(): Promise<Exchange> {
    // Node keeps a failed import for ever, even if it was only for want of a free file handle. Another address is another try.
    const again = this.#failures === 0 ? '' : `?again=${this.#failures}`
    const { Exchange }: typeof import('./message-handler.js') = await import(`./message-handler.js${again}`)
    return new Exchange(this.service, this.#failed)
  }
}
