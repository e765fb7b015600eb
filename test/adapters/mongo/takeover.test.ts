/** A leader that stops in the middle of a commit leaves a transaction open, which locks the checkpoint. */
import t from 'tap'
import { openMongoStore } from '../../../src/adapters/mongo/document-store.js'
import { book, books, collections, next, PROJECTION, put, writesOf } from '../../ports/library-model.js'
import { mongoUrl } from '../../servers/shared-mongo.js'
import { TcpProxy } from '../../servers/tcp-proxy.js'
import { databaseOn, dropDatabase } from './databases.js'

/** By itself the server would end such a transaction after a minute or more. */
const server = await mongoUrl(t)

if (server !== null) {
  await t.test('the next leader ends it, and need not wait', async (t) => {
    const url = databaseOn(server)
    const proxy = await TcpProxy.start(t, Number(new URL(url).port))
    const throughProxy = new URL(url)
    throughProxy.port = String(proxy.port)
    throughProxy.searchParams.set('directConnection', 'true')
    throughProxy.searchParams.delete('replicaSet')
    const stores = [await openMongoStore(throughProxy.href), await openMongoStore(url)] as const
    const [first, second] = stores
    t.teardown(async () => {
      for (const store of stores) await store.close()
      await dropDatabase(url)
    })
    const generation = await first.createGeneration(PROJECTION, 1, collections)
    const old = await first.openGeneration(generation, collections)
    const from = await old.fence(1)

    const writes = await writesOf(old, put(books, book('late')))
    // The document is encoded once the checkpoint has moved.
    const stalled = new Promise<void>((resolve) => {
      Object.defineProperty(writes[0]?.after, 'title', {
        get() {
          proxy.stall()
          resolve()
          return 'Late'
        },
      })
    })
    const late = old.commit({ from, to: next(from), writes })
    await stalled

    const young = await second.openGeneration(generation, collections)
    t.equal((await young.fence(2)).epoch, 2)
    const at = await young.checkpoint()
    await young.commit({ from: at, to: next(at), writes: await writesOf(young, put(books, book('young'))) })

    proxy.heal()
    await t.rejects(late, { name: 'FencedError' }, 'the old one cannot finish what it had begun')
    t.strictSame(await young.ids(books, { index: '_id', equals: [], limit: 9 }), ['young'])
    await old.close()
    await young.close()
  })
}
