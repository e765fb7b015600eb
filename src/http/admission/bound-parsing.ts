/** Counts what a connection brings while Node parses it, and stops it in time. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_PIECES } from './body-gate.js'

/** What arrived since the last complete head. */
export interface Parsed {
  /** How often bytes arrived, and how many of them are of no body. */
  reads: number
  bytes: number
  chunks: number
}

export const NOTHING_PARSED: Readonly<Parsed> = { reads: 0, bytes: 0, chunks: 0 }

/** Node parses all requests of a read at once, up to 3,600 of them, however long the first takes. Browsers send one at a time. */
export const MAX_PIPELINED = 16
/** A read costs about the same for one byte as for all. The largest head and the largest body come in about fifty packets. */
const MAX_READS = 256
/** What a request brings after its head, at most, if it does not trickle. */
const MAX_USUAL_READS = 64
/** Line ends before a head are of no head, so no limit of Node's counts them. A read brings up to 64 KB, and some of the next requests. */
const MAX_BYTES = 256 * 1024
/** Browsers and proxies send up to fifty headers. Hundreds of short ones cost more than the request. */
const MAX_HEADERS = 128

/** Whether it brings what is no request. */
export const isTrickling = ({ reads, bytes }: Parsed): boolean => reads > MAX_USUAL_READS || bytes > MAX_BYTES

/**
 * Node has no public way to stop in the middle of a read, or to see how many there were. Returns what to call when the connection is
 * closed: its parser is used again.
 */
export function boundParsing(
  socket: Socket,
  parsed: Parsed,
  { isBusy, refuseHead }: { isBusy: () => boolean; refuseHead: () => void },
): () => void {
  const { parser } = socket as Socket & { parser?: HttpParser | null }
  if (parser === null || parser === undefined) return () => {}
  const { onIncoming, [ON_EXECUTE]: onExecute } = parser
  nodesOnBody ??= parser[ON_BODY]
  parser.onIncoming = (request, keepAlive) => {
    // Names and values.
    if (request.rawHeaders.length / 2 > MAX_HEADERS) {
      // It counts as one that broke off.
      parsed.reads = Number.POSITIVE_INFINITY
      refuseHead()
      return STOP_PARSING
    }
    // Node lets go of the parser here, before the connection is closed.
    if (request.method === 'CONNECT') unbind()
    if (!isBusy()) {
      const handled = onIncoming(request, keepAlive)
      // A read may hold ten thousand chunks. What is no POST needs none of them, and its connection closes with the answer.
      return request.method !== 'POST' && request.headers['transfer-encoding'] !== undefined ? STOP_PARSING : handled
    }
    // Without the return value, all requests of this read would be made and handed out.
    socket.destroy()
    return STOP_PARSING
  }
  parser[ON_EXECUTE] = (...executed) => {
    parsed.reads += 1
    if (typeof executed[0] === 'number') parsed.bytes += executed[0]
    if (parsed.reads > MAX_READS || parsed.bytes > MAX_BYTES) socket.destroy()
    else onExecute(...executed)
  }
  // One more than a body may have, so that its reader sees that there are too many. The rest of the read is skipped.
  const countChunk = (...chunk: [Buffer, ...unknown[]]) => {
    parsed.chunks += 1
    parsed.bytes -= chunk[0].length
    if (parsed.chunks > MAX_PIECES) parser[ON_BODY] = undefined
    nodesOnBody?.apply(parser, chunk)
  }
  // Another connection may have the parser by then, with a count of its own.
  const unbind = () => {
    if (parser[ON_BODY] === countChunk || parser[ON_BODY] === undefined) parser[ON_BODY] = nodesOnBody
  }
  parser[ON_BODY] = countChunk
  return unbind
}

/** The same for all parsers. Kept once: taken from each parser, it could be the count of a connection before. */
let nodesOnBody: HttpParser[typeof ON_BODY]

/** The code by which Node's own limits of a head are known. */
export class TooManyHeadersError extends Error {
  override message = 'too many headers'
  readonly code = 'HPE_HEADER_OVERFLOW'
}

/** `HTTPParser.kOnBody`: called with each chunk. */
const ON_BODY = 3
/** `HTTPParser.kOnExecute`: called after each read. */
const ON_EXECUTE = 5

/** Node's, as far as it is used here. */
interface HttpParser {
  onIncoming(request: IncomingMessage, keepAlive: boolean): number
  [ON_EXECUTE](...executed: unknown[]): void
  [ON_BODY]: ((...chunk: [Buffer, ...unknown[]]) => void) | undefined
}

/** As for an upgrade: what follows is no HTTP. */
const STOP_PARSING = 2
