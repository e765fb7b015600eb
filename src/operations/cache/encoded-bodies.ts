import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, gzip, type ZlibOptions } from 'node:zlib'
import { inOwnMemory } from '../../lib/own-memory.js'

/** Best first. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Smaller bodies fit into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1024

const compressBrotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)
const compressGzip = promisify<Buffer, ZlibOptions, Buffer>(gzip)
const { BROTLI_PARAM_MODE, BROTLI_PARAM_QUALITY, BROTLI_MODE_TEXT } = constants
// Medium settings, because an answer may change every second: the highest take a hundred times as long for a tenth less.
const COMPRESS: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => compressBrotli(body, { params: { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT } }),
  gzip: (body) => compressGzip(body, { level: 6 }),
}

/** A body, and its compressed forms. Each form is made on first request, and once. */
export class EncodedBodies {
  readonly body: Buffer
  readonly #onGrowth: (bytes: number) => void
  readonly #compressed: Partial<Record<Encoding, Buffer | Promise<Buffer>>> = {}

  /** `onGrowth` is called with the size of each new form. */
  constructor(body: Buffer, onGrowth: (bytes: number) => void = () => {}) {
    this.body = body
    this.#onGrowth = onGrowth
  }

  get isWorthCompressing(): boolean {
    return this.body.length >= MIN_COMPRESSED_BYTES
  }

  getIfReady(encoding: Encoding): Buffer | undefined {
    const compressed = this.#compressed[encoding]
    return compressed instanceof Buffer ? compressed : undefined
  }

  async get(encoding: Encoding): Promise<Buffer> {
    this.#compressed[encoding] ??= this.#compress(encoding)
    return this.#compressed[encoding]
  }

  async #compress(encoding: Encoding): Promise<Buffer> {
    try {
      const compressed = inOwnMemory(await COMPRESS[encoding](this.body))
      this.#compressed[encoding] = compressed
      this.#onGrowth(compressed.length)
      return compressed
    } catch (error) {
      delete this.#compressed[encoding]
      throw error
    }
  }
}

/** The ETag of a body: equal for equal bytes, in every process. */
export const etagOf = (body: string | Buffer): string => `"${createHash('sha1').update(body).digest('base64url').slice(0, 20)}"`

/** Each encoding has other bytes, so it needs another tag. */
export const etagForEncoding = (tag: string, encoding: Encoding | undefined): string =>
  encoding === undefined ? tag : `${tag.slice(0, -1)}-${encoding}"`
