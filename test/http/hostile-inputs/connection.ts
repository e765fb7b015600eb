import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  head: string
  body: string
}

/** One kept connection that sends bytes as they are and does little else, so that what is measured is the service. */
export class Connection {
  readonly #port: number
  #socket: Socket | null = null

  constructor(port: number) {
    this.#port = port
  }

  exchange(bytes: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const socket = this.#open()
      const chunks: Buffer[] = []
      const settle = (end: () => void) => {
        socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('error')
        end()
      }
      const onEnd = () => {
        this.#socket = null
        const answer = answerIn(Buffer.concat(chunks), true)
        settle(() => (answer === null ? reject(new Error(`no answer to ${bytes.toString('latin1', 0, 200)}`)) : resolve(answer)))
      }
      socket.on('data', (chunk) => {
        chunks.push(chunk)
        const answer = answerIn(Buffer.concat(chunks), false)
        if (answer === null) return
        if (/^connection: close$/im.test(answer.head)) this.close()
        settle(() => resolve(answer))
      })
      socket.on('close', onEnd)
      socket.on('error', onEnd)
      socket.write(bytes)
    })
  }

  /** The server may have closed the last one meanwhile. */
  #open(): Socket {
    if (this.#socket === null || !this.#socket.writable) this.#socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    return this.#socket
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = null
  }
}

/** The answer once it is complete. `ended`: there will be no more. */
function answerIn(received: Buffer, ended: boolean): Answer | null {
  const headLength = received.indexOf('\r\n\r\n')
  if (headLength < 0) return null
  const head = received.toString('latin1', 0, headLength)
  const rest = received.subarray(headLength + 4)
  const status = Number(head.slice(9, 12))
  const [, length] = /^content-length: (\d+)$/im.exec(head) ?? []
  const isComplete =
    ended ||
    status === 204 ||
    status === 304 ||
    (length === undefined ? rest.toString('latin1').endsWith('0\r\n\r\n') : rest.length >= Number(length))
  return isComplete ? { status, head, body: rest.toString() } : null
}
