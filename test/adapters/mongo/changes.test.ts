import { setImmediate as nextTurn } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import t from 'tap'
import { ChangeStreamListener } from '../../../src/adapters/mongo/change-stream.js'

await t.test('a client that is closed is not asked for changes again and again', async (t) => {
  // No server: nothing listens on this port.
  const client = new MongoClient('mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=20')
  const real = client.db('test').collection('checkpoints')
  let asked = 0
  const counting = {
    watch: (...args: Parameters<typeof real.watch>) => {
      asked += 1
      return real.watch(...args)
    },
  }
  const changes = new ChangeStreamListener(counting)
  changes.listen(() => {})
  await client.close()
  for (let turn = 0; turn < 500; turn++) await nextTurn()
  t.ok(asked <= 3, `asked ${asked} times`)
  await changes.close()
})
