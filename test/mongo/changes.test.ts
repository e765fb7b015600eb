import { EventEmitter } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ChangeStream, MongoClient } from 'mongodb'
import t from 'tap'
import { Changes } from '../../src/adapters/mongo/changes.js'

await t.test('nobody goes on asking for changes once the client is closed', async (t) => {
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
  const changes = new Changes(counting)
  changes.listen(() => {})
  await client.close()
  for (let turn = 0; turn < 500; turn++) await nextTurn()
  t.ok(asked <= 3, `asked ${asked} times`)
  await changes.close()
})

await t.test('changes that come in one answer are one thing to tell', async (t) => {
  // Of a stream, nothing else is used.
  const stream = Object.assign(new EventEmitter(), { close: async () => stream.emit('close') })
  const changes = new Changes({ watch: () => stream as unknown as ChangeStream })
  let told = 0
  changes.listen(() => {
    told += 1
  })
  for (let commit = 1; commit <= 2; commit++) {
    for (let model = 0; model < 5; model++) stream.emit('change')
    await nextTurn()
    t.equal(told, commit)
  }
  stream.emit('change')
  await changes.close()
  await nextTurn()
  t.equal(told, 2, 'and nothing is told once it is closed')
})
