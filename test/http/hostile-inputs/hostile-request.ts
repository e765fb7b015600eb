import type { Operation } from '../../../src/contract/operation.js'
import type { MakeText } from './hostile-texts.js'

export interface HostileRequest {
  name: string
  host: 'api' | 'web' | 'admin'
  /** Another one each round, so that no answer comes from a cache. */
  bytes(round: number): Buffer
}

/** Just below the limits of head and body. */
export const HEAD_ROOM = 15_000
export const BODY_ROOM = 64_000

export interface Sent {
  method?: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

export const request = (host: HostileRequest['host'], name: string, make: (round: number) => Sent): HostileRequest => ({
  name,
  host,
  bytes: (round) => bytesOf(make(round)),
})

function bytesOf({ method = 'GET', path, headers = {}, body }: Sent): Buffer {
  const all = {
    Host: 'localhost',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), Buffer.from(body ?? '')])
}

export const post = (path: string, value: unknown): Sent => ({
  method: 'POST',
  path,
  body: typeof value === 'string' ? value : JSON.stringify(value),
})

/** As much of a text as fits into an address. */
export const inAddress = (make: MakeText, round: number): string => `${round}${fitting(make, encoded, HEAD_ROOM)}`

/** The same for a body. */
export const inBody = (make: MakeText, round: number): string => `${round}${fitting(make, String, BODY_ROOM)}`

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Made once: what the tests throw away would be cleared up while a request is measured. */
const fitted = new Map<MakeText, Map<number, string>>()

function fitting(make: MakeText, write: (text: string) => string, room: number): string {
  const known = fitted.get(make) ?? new Map<number, string>()
  fitted.set(make, known)
  let text = known.get(room)
  for (let length = room; text === undefined; length = Math.floor(length / 1.2)) {
    const written = write(make(length))
    if (Buffer.byteLength(JSON.stringify(written)) <= room) text = written
  }
  known.set(room, text)
  return text
}

export const fieldsOf = ({ input }: Operation): string[] => Object.keys(input.shape)

export const each = <T, R>(record: Readonly<Record<string, T>>, make: (name: string, value: T) => R): R[] =>
  Object.entries(record).map(([name, value]) => make(name, value))
