import t from 'tap'
import { clientKeyOf, networkOf } from '../../../src/http/rate-limit/client-key.js'

await t.test('a caller is an address, and of IPv6 the /64', async (t) => {
  const same: [a: string, b: string][] = [
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8:1:2::', '2001:0db8:0001:0002:0:0:0:9'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::1'],
    ['2001:db8::1', '2001:db8:0:0:1::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['0000:0:0::0:FFFF:C000:0201', '192.0.2.1'],
    ['fe80::1%eth0', 'fe80::2%eth1'],
    ['192.0.2.1:4711', '192.0.2.1:4712'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[2001:db8:1:2::1]:4711', '2001:db8:1:2::1'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::9'],
    ['[::ffff:192.0.2.1]:4711', '192.0.2.1'],
  ]
  for (const [a, b] of same) t.equal(clientKeyOf(a), clientKeyOf(b), `${a} and ${b}`)
  const others: [a: string, b: string][] = [
    ['192.0.2.1', '192.0.2.2'],
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8::1', '2001:db9::1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
    ['1:2:3:4:5:6:7:8', '1:2:3:5:5:6:7:8'],
    ['::1', '127.0.0.1'],
    ['::ffff:c000:201', '::ffff:c000:202'],
    ['::ffff:0:192.0.2.1', '192.0.2.1'],
  ]
  for (const [a, b] of others) t.not(clientKeyOf(a), clientKeyOf(b), `${a} and ${b}`)
})

await t.test('the network of a caller is its /48', async (t) => {
  t.equal(networkOf(clientKeyOf('2001:db8:1:2::1')), networkOf(clientKeyOf('2001:db8:1:ffff::1')))
  t.not(networkOf(clientKeyOf('2001:db8:1:2::1')), networkOf(clientKeyOf('2001:db8:2:2::1')))
  t.not(networkOf(clientKeyOf('2001:db8:1:2::1')), clientKeyOf('2001:db8:1::1'), 'which is counted apart from its first /64')
  t.equal(networkOf(clientKeyOf('192.0.2.1')), null, 'IPv4 has none')
})

await t.test('what is no address counts for itself', async (t) => {
  t.equal(clientKeyOf('nonsense'), 'nonsense')
  t.equal(clientKeyOf(''), '')
})
