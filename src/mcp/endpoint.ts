import type { MessageHandler } from './message-handler.js'
import type { McpServerDefinition } from './server-definition.js'

/** Headers that repeat parts of the body, since the first revision without a handshake; and who sent it. */
export interface McpHeaders {
  /** Callers take turns in reads that take long. */
  caller: string
  version: string | undefined
  method: string | undefined
  name: string | undefined
}

export interface McpReply {
  status: number
  /** JSON, or nothing for a notification. */
  body: string | null
}

/** One MCP server over Streamable HTTP: both generations of the protocol on one address, stateless. */
export class McpEndpoint {
  readonly service: McpServerDefinition
  readonly #failed: (error: unknown) => void
  #handler: Promise<MessageHandler> | null = null
  #failures = 0

  constructor(definition: McpServerDefinition, failed: (error: unknown) => void) {
    this.service = definition
    this.#failed = failed
  }

  /** `message` may be any JSON value. */
  async answer(message: unknown, headers: McpHeaders): Promise<McpReply> {
    return (await this.#loadOnce()).answer(message, headers)
  }

  /** For a missing body, one that is no JSON, or one that holds too much. */
  async refuse(body: { why: 'unreadable' | 'too much'; message: string } | undefined): Promise<McpReply> {
    return (await this.#loadOnce()).refuse(body?.why === 'too much' ? body.message : null)
  }

  #loadOnce(): Promise<MessageHandler> {
    this.#handler ??= this.#load().catch((error) => {
      this.#handler = null
      this.#failures += 1
      throw error
    })
    return this.#handler
  }

  /** Loads the SDK on first use, because it is slow to load. */
  async #load(): Promise<MessageHandler> {
    // Node remembers a failed import, even one that failed for lack of file handles. Another URL tries again.
    const again = this.#failures === 0 ? '' : `?again=${this.#failures}`
    const { MessageHandler }: typeof import('./message-handler.js') = await import(`./message-handler.js${again}`)
    return new MessageHandler(this.service, this.#failed)
  }
}
