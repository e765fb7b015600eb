/** Headers where there is no framework yet. */
import type { IncomingMessage } from 'node:http'

/** As `writeHead` wants them: name, value, name, value. */
export const toRawHeaders = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).flatMap(([name, value]) => [name.toLowerCase(), value])

/** What the proxy in front of us has put at the end of a header; nobody else is believed. */
export function forwardedHeader({ headers }: IncomingMessage, name: string, trustProxy: boolean): string | undefined {
  const value = trustProxy ? headers[name] : undefined
  if (typeof value !== 'string') return undefined
  return value.slice(value.lastIndexOf(',') + 1).trim()
}
