/** Who a request counts for. */
import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { forwardedHeader, stateOf } from '../request-state.js'

/** The address of the caller; behind a trusted proxy, what the proxy says. */
export const callerAddress = (request: IncomingMessage, trustProxy: boolean): string =>
  forwardedHeader(request, 'x-forwarded-for', trustProxy) || (request.socket.remoteAddress ?? '')

/** The caller a request counts for: the address, or the /64 for IPv6, because one household or host gets that. */
export function clientKeyOf(address: string): string {
  // The common case, checked for every request.
  if (!address.includes(':')) return address
  const plain = withoutPort(address)
  return isIPv6(plain) ? (mappedAddress(plain) ?? `${ipv6Groups(plain).slice(0, 4).join(':')}::/64`) : plain
}

/** The caller of a request that has come to Fastify. */
export const callerOf = ({ raw, ip }: Pick<FastifyRequest, 'raw' | 'ip'>): string => stateOf(raw).caller ?? clientKeyOf(ip)

/** The /48 of a caller; `null` for IPv4. */
export function networkOf(clientKey: string): string | null {
  if (!clientKey.endsWith('::/64')) return null
  return `${clientKey.split(':').slice(0, 3).join(':')}::/48`
}

/** An IPv4 address that is written as one of IPv6, in whichever of its forms. */
function mappedAddress(address: string): string | null {
  const [plain] = address.split('%')
  const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(new URL(`http://[${plain}]`).hostname) ?? []
  if (high === undefined || low === undefined) return null
  return [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.')
}

/** Some proxies add the port of the connection, which is another one each time. */
function withoutPort(address: string): string {
  const [, bracketed, v4] = /^(?:\[(.+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(address) ?? []
  return bracketed ?? v4 ?? address
}

function ipv6Groups(address: string): string[] {
  const [plain = ''] = address.split('%')
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...(tail === undefined ? [] : zeros), ...right].map((group) => Number.parseInt(group, 16).toString(16))
}
