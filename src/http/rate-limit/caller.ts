import { isIPv6 } from 'node:net'

/** Who a request counts for: the address, and of IPv6 the /64, because that is what one household or host gets. */
export function clientKeyOf(address: string): string {
  // Nearly everybody, and looked at for every request.
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!isIPv6(address)) return address
  return `${ipv6Groups(address).slice(0, 4).join(':')}::/64`
}

function ipv6Groups(address: string): string[] {
  const [plain = ''] = address.split('%')
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...(tail === undefined ? [] : zeros), ...right].map((group) => Number.parseInt(group, 16).toString(16))
}
