import { setMaxListeners } from 'node:events'
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  Events,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
} from 'nats'
import { NodeTransport } from 'nats/lib/src/node_transport.js'
import { errorMessage } from '../../lib/message-text.js'
import { LogUnavailableError } from '../../ports/event-log.js'

/** Addresses and credentials of NATS. Only the addresses are required. */
export interface NatsOptions {
  /** Comma-separated: `nats://a:4222,nats://b:4222`. May carry `user:password@`. */
  servers: string
  user?: string | undefined
  password?: string | undefined
  token?: string | undefined
  /** The text of a credentials file. */
  credentials?: string | undefined
  tls?: { ca?: string | undefined; cert?: string | undefined; key?: string | undefined }
  requestTimeoutMs?: number
}

export interface Connected {
  nats: NatsConnection
  streams: JetStreamManager['streams']
  consumers: JetStreamManager['consumers']
  jetstream: JetStreamClient
  /** Aborts when this connection is interrupted; call the connector again after that. */
  interrupted: AbortSignal
}

/** Short, because a request to a leader that has just died is never answered. */
const REQUEST_TIMEOUT_MS = 2000

/** Connects when first needed, and again after a failed attempt. After that the client itself reconnects. */
export class NatsConnector {
  readonly #options: NatsOptions
  #connecting: Promise<NatsConnection> | null = null
  #interruption = new AbortController()
  #closed = false

  constructor(options: NatsOptions) {
    this.#options = options
  }

  async connected(): Promise<Connected> {
    if (this.#closed) throw new NatsUnavailableError('this connection has been closed')
    this.#connecting ??= this.#connect()
    const nats = await this.#connecting
    // Every open consumer listens.
    setMaxListeners(0, this.#interruption.signal)
    const timeout = this.#options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
    const { streams, consumers } = await nats.jetstreamManager({ checkAPI: false, timeout })
    return {
      nats,
      streams,
      consumers,
      jetstream: nats.jetstream({ timeout }),
      interrupted: this.#interruption.signal,
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#interruption.abort()
    const nats = await this.#connecting?.catch(() => null)
    await nats?.close()
  }

  async #connect(): Promise<NatsConnection> {
    try {
      const nats = await connect(clientOptions(this.#options))
      void this.#watch(nats)
      return nats
    } catch (error) {
      this.#connecting = null
      throw new NatsUnavailableError(`NATS cannot be reached at ${withoutSecrets(this.#options.servers)}: ${errorMessage(error)}`, {
        cause: error,
      })
    }
  }

  async #watch(nats: NatsConnection): Promise<void> {
    void nats.closed().then(() => {
      this.#connecting = null
      this.#interrupt()
    })
    for await (const { type } of nats.status()) if (type === Events.Disconnect) this.#interrupt()
  }

  #interrupt(): void {
    this.#interruption.abort()
    this.#interruption = new AbortController()
  }
}

/** The servers cannot be reached, or refuse the credentials. */
export class NatsUnavailableError extends LogUnavailableError {
  override name = 'NatsUnavailableError'
}

function clientOptions({ servers, user, password, token, credentials, tls = {}, requestTimeoutMs }: NatsOptions): ConnectionOptions {
  const urls = servers.split(',').map((address) => address.trim())
  const { username, password: secret } = urlOf(urls[0] ?? '')
  const encrypted = urls.some((url) => url.startsWith('tls://')) || Object.values(tls).some((value) => value !== undefined)
  return {
    servers: urls.map((url) => urlOf(url).host),
    name: 'vitrine',
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // Detects a server that has disappeared without closing the connection.
    pingInterval: 5000,
    maxPingOut: 2,
    timeout: requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    // A certificate or password may be renewed while we try.
    ignoreAuthErrorAbort: true,
    ...withoutUndefined({ user: user ?? decodedOrUndefined(username), pass: password ?? decodedOrUndefined(secret), token }),
    ...(credentials === undefined ? {} : { authenticator: credsAuthenticator(new TextEncoder().encode(credentials)) }),
    ...(encrypted ? { tls: withoutUndefined(tls) } : {}),
  }
}

const urlOf = (address: string): URL => new URL(address.includes('://') ? address : `nats://${address}`)

const decodedOrUndefined = (part: string): string | undefined => (part === '' ? undefined : decodeURIComponent(part))

/** The client treats an option that is `undefined` as set. */
function withoutUndefined<T extends Record<string, string | undefined>>(options: T): Record<string, string> {
  return Object.fromEntries(Object.entries(options).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

const withoutSecrets = (servers: string): string => servers.replaceAll(/\/\/[^/@,]*@/g, '//')

/**
 * When a server accepts a connection and then stays silent, the client gives up but leaves the connection open. Each
 * attempt would cost a file handle and keep the process from ending, so this closes the socket as well.
 */
const { close, peekInfo } = NodeTransport.prototype
const abandoned = new WeakSet<NodeTransport>()

NodeTransport.prototype.close = function (error) {
  if (!this.connected) {
    abandoned.add(this)
    this.socket?.destroy()
  }
  return close.call(this, error)
}

/** The client calls this once the connection is established, which may be long after it gave up. */
NodeTransport.prototype.peekInfo = function () {
  if (abandoned.has(this)) this.socket?.destroy()
  return peekInfo.call(this)
}
