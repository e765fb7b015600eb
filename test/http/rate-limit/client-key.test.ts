import t from 'tap'
import { clientKeyOf } from '../../../src/http/rate-limit/rate-limit.js'

await t.test('a caller is an address, and of IPv6 the /64', async (t) => {
  const same: [a: string, b: string][] = [
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8:1:2::', '2001:0db8:0001:0002:0:0:0:9'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::1'],
    ['2001:db8::1', '2001:db8:0:0:1::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['fe80::1%eth0', 'fe80::2%eth1'],
  ]
  for (const [a, b] of same) t.equal(clientKeyOf(a), clientKeyOf(b), `${a} and ${b}`)
  const others: [a: string, b: string][] = [
    ['192.0.2.1', '192.0.2.2'],
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8::1', '2001:db9::1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
    ['1:2:3:4:5:6:7:8', '1:2:3:5:5:6:7:8'],
    ['::1', '127.0.0.1'],
  ]
  for (const [a, b] of others) t.not(clientKeyOf(a), clientKeyOf(b), `${a} and ${b}`)
})

await t.test('what is no address counts for itself', async (t) => {
  t.equal(clientKeyOf('nonsense'), 'nonsense')
  t.equal(clientKeyOf(''), '')
})
