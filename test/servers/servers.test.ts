/** Where the servers come from that other tests stand on. That they work is seen there. */
import t, { type Test } from 'tap'
import { folderWith } from '../adapters/folder.js'
import { binaryFor } from './binary.js'
import { natsUrl } from './nats.js'
import { redisUrl } from './redis.js'
import { mongoUrl } from './shared-mongo.js'

t.test('an address in the environment comes before everything else', async (t) => {
  const variables = { TEST_NATS_URL: natsUrl, TEST_MONGODB_URL: mongoUrl, TEST_REDIS_URL: redisUrl }
  restoringEnvironment(t, ...Object.keys(variables))
  for (const [name, url] of Object.entries(variables)) {
    process.env[name] = 'somewhere'
    t.equal(await url(t), 'somewhere', name)
  }
})

t.test('a server that cannot be had skips its tests, and fails them in CI', async (t) => {
  restoringEnvironment(t, 'XDG_CACHE_HOME', 'CI')
  process.env.XDG_CACHE_HOME = folderWith()
  const recipe = {
    name: 'no-such-server',
    version: '1',
    async unpack(): Promise<never> {
      throw new Error('no registry answers')
    },
  }
  process.env.CI = 'true'
  await t.rejects(binaryFor(t, recipe), /no-such-server cannot be had, its tests do not run: no registry answers/)
  process.env.CI = ''
  const skipped: string[] = []
  t.equal(await binaryFor({ pass: (_, { skip }) => skipped.push(skip) }, recipe), null)
  t.strictSame(skipped, ['no-such-server cannot be had, its tests do not run: no registry answers'])
})

function restoringEnvironment(t: Test, ...names: readonly string[]): void {
  const before = names.map((name) => [name, process.env[name]] as const)
  t.teardown(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
}
