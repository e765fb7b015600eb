import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, gzip, type ZlibOptions } from 'node:zlib'

/** Best first. */
export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Fewer bytes than this fit into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1024

const compressBrotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)
const compressGzip = promisify<Buffer, ZlibOptions, Buffer>(gzip)
const { BROTLI_PARAM_MODE, BROTLI_PARAM_QUALITY, BROTLI_MODE_TEXT } = constants
// What is made once a second has to be made quickly: the highest settings take a hundred times as long for a tenth less.
const COMPRESS: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => compressBrotli(body, { params: { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT } }),
  gzip: (body) => compressGzip(body, { level: 6 }),
}

/** An answer's bytes, as they are and in the shorter forms that somebody has asked for, each made once. */
export class EncodedBodies {
  readonly body: Buffer
  readonly #onGrowth: (bytes: number) => void
  // Of thousands of answers most are never asked for in any of them.
  #made: Partial<Record<Encoding, Buffer>> | undefined
  #making: Partial<Record<Encoding, Promise<Buffer>>> | undefined

  /** `grew` is told what each form takes up. */
  constructor(body: Buffer, grew: (bytes: number) => void = () => {}) {
    this.body = body
    this.#onGrowth = grew
  }

  get isWorthCompressing(): boolean {
    return this.body.length >= MIN_COMPRESSED_BYTES
  }

  /** If it is there already. */
  getIfReady(encoding: Encoding): Buffer | undefined {
    return this.#made?.[encoding]
  }

  /** Compressed beside the event loop: everybody else goes on. */
  async get(encoding: Encoding): Promise<Buffer> {
    const getIfReady = this.getIfReady(encoding)
    if (getIfReady !== undefined) return getIfReady
    const making = this.#making?.[encoding] ?? this.#make(encoding)
    this.#making = { ...this.#making, [encoding]: making }
    return making
  }

  async #make(encoding: Encoding): Promise<Buffer> {
    try {
      const made = await COMPRESS[encoding](this.body)
      this.#made = { ...this.#made, [encoding]: made }
      this.#onGrowth(made.length)
      return made
    } finally {
      const { [encoding]: _, ...others } = this.#making ?? {}
      this.#making = others
    }
  }
}
