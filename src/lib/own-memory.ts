/**
 * The same bytes, to be kept for long. Node cuts small buffers out of a block of 8 KB, and zlib out of one of 16 KB. A small
 * buffer that is kept would keep its whole block.
 */
export function inOwnMemory(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  own.set(bytes)
  return own
}
