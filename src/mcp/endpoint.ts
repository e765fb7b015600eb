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

/**
 * Slow, so it is not done at the start, but soon after it: Node remembers a failed import, even one that failed for lack of
 * file handles, which callers can take up.
 */
export const loadSdk = () => import('./message-handler.js')

/** One MCP server over Streamable HTTP: both generations of the protocol on one address, stateless. */
export class McpEndpoint {
  readonly service: McpServerDefinition
  readonly #failed: (error: unknown) => void
  #handler: Promise<MessageHandler> | null = null

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
    this.#handler ??= loadSdk().then(({ MessageHandler }) => new MessageHandler(this.service, this.#failed))
    return this.#handler
  }
}
