import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Collection, MongoClient } from 'mongodb'
import t from 'tap'
import { Changes } from '../../src/adapters/mongo/changes.js'
import type { CheckpointDoc } from '../../src/adapters/mongo/control.js'

await t.test('nobody goes on asking for changes once the client is closed', async (t) => {
  // No server: nothing listens on this port.
  const client = new MongoClient('mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=20')
  const real = client.db('test').collection<CheckpointDoc>('checkpoints')
  let asked = 0
  const counting = {
    watch: (...args: Parameters<typeof real.watch>) => {
      asked += 1
      return real.watch(...args)
    },
  }
  // Of a collection, following changes uses nothing else.
  const changes = new Changes(counting as unknown as Collection<CheckpointDoc>)
  changes.listen(() => {})
  await client.close()
  for (let turn = 0; turn < 500; turn++) await nextTurn()
  t.ok(asked <= 3, `asked ${asked} times`)
  await changes.close()
})
