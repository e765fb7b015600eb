import type { MessageHandler } from './message-handler.js'
import type { McpServerDefinition } from './server-definition.js'

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
  readonly service: McpServerDefinition
  readonly #failed: (error: unknown) => void
  #handler: Promise<MessageHandler> | null = null
  #failures = 0

  constructor(definition: McpServerDefinition, failed: (error: unknown) => void) {
    this.service = definition
    this.#failed = failed
  }

  /** `message` is any JSON at all. */
  async answer(message: unknown, headers: McpHeaders): Promise<McpReply> {
    return (await this.#loadOnce()).answer(message, headers)
  }

  /** A body that is no JSON, or none at all. */
  async answerUnreadable(): Promise<McpReply> {
    return (await this.#loadOnce()).answerUnreadable()
  }

  #loadOnce(): Promise<MessageHandler> {
    this.#handler ??= this.#load().catch((error) => {
      this.#handler = null
      this.#failures += 1
      throw error
    })
    return this.#handler
  }

  /** The SDK takes a while to load: no reader should have to wait for it at the start. */
  async #load(): Promise<MessageHandler> {
    // Node keeps a failed import for ever, even if it was only for want of a free file handle. Another address is another try.
    const again = this.#failures === 0 ? '' : `?again=${this.#failures}`
    const { MessageHandler }: typeof import('./message-handler.js') = await import(`./message-handler.js${again}`)
    return new MessageHandler(this.service, this.#failed)
  }
}
