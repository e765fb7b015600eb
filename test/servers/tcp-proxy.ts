/** Stands between clients and a server on this machine, and lets a test cut, stall and slow what passes. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { serverPorts } from './ports.js'

export class TcpProxy {
  readonly port: number
  readonly #server: Server
  readonly #target: number
  readonly #sockets = new Set<Socket>()
  readonly #clients = new Set<Socket>()
  #isCut = false
  #lateMs = 0
  /** Settles when bytes may pass. */
  #open: Promise<void> = Promise.resolve()
  #goOn = () => {}

  static async start(t: { teardown(work: () => Promise<void>): unknown }, target: number): Promise<TcpProxy> {
    const [port = 0] = await serverPorts(1)
    const proxy = new TcpProxy(port, target)
    await once(proxy.#server.listen(port, '127.0.0.1'), 'listening')
    t.teardown(() => proxy.#close())
    return proxy
  }

  private constructor(port: number, target: number) {
    this.port = port
    this.#target = target
    this.#server = createServer({ noDelay: true }, (client) => this.#join(client))
  }

  /** How many clients it has now, and has had. */
  get clients(): number {
    return this.#clients.size
  }

  taken = 0

  /** Connections break, and new ones are hung up on. */
  cut(): void {
    this.#isCut = true
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Connections stay, and nothing passes: what a lost route looks like. */
  stall(): void {
    this.#open = new Promise((resolve) => {
      this.#goOn = resolve
    })
  }

  /** Every piece that passes, in either direction, is held for so long. */
  slow(lateMs: number): void {
    this.#lateMs = lateMs
  }

  /** As if nothing had been. What was stalled arrives. */
  heal(): void {
    this.#isCut = false
    this.#lateMs = 0
    this.#goOn()
    this.#open = Promise.resolve()
  }

  #join(client: Socket): void {
    if (this.#isCut) return void client.destroy()
    this.taken += 1
    this.#clients.add(client)
    client.on('close', () => this.#clients.delete(client))
    const server = connect({ port: this.#target, host: '127.0.0.1', noDelay: true })
    const parted = new AbortController()
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        this.#sockets.delete(one)
        parted.abort()
        other.destroy()
      })
      void this.#carry(one, other, parted.signal)
    }
  }

  async #carry(from: Socket, to: Socket, parted: AbortSignal): Promise<void> {
    try {
      for await (const piece of from) {
        if (this.#lateMs > 0) await pause(this.#lateMs)
        await this.#open
        if (to.destroyed) return
        if (!to.write(piece)) await once(to, 'drain', { signal: parted })
      }
      to.end()
    } catch {
      // One end has hung up; the other is told by `close`.
    }
  }

  async #close(): Promise<void> {
    this.heal()
    for (const socket of this.#sockets) socket.destroy()
    await once(this.#server.close(), 'close')
  }
}
