/** How often the feed has to ask the store before it can fold: every question is one that all projections of a process wait for. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { feed } from '../../projections/feed/index.js'
import { decode, type Position } from '../../src/events/index.js'
import type { Reads } from '../../src/ports/document-store.js'
import { Folder } from '../../src/projector/fold.js'
import { WorkingSet } from '../../src/projector/working-set.js'
import { edited, published, registered, removed, republished, type Told, unpublished } from '../spec/events.js'
import { Script } from '../spec/script.js'
import { MemoryDocumentStore } from '../support/memory-store.js'

const changes: Record<string, Told> = {
  'creation.published once more': published('c1', { by: 'ann', tags: ['sea'] }),
  'creation.edited': edited('c1', { title: { en: 'High water' } }),
  'creation.unpublished': unpublished('c1'),
  'creation.republished': republished('c1'),
  'creation.removed': removed('c1'),
}

for (const [name, change] of Object.entries(changes)) {
  t.test(`${name}: for a creation that is known, one question`, async (t) => {
    const store = new MemoryDocumentStore()
    const target = await store.openGeneration(await store.createGeneration(feed.name, feed.version, feed.collections), feed.collections)
    const asked: string[][] = []
    let moment: string[] | null = null
    const reads = new Proxy<Reads>(target, {
      get: (_, member) =>
        member !== 'get'
          ? Reflect.get(target, member).bind(target)
          : async (...[collection, ids]: Parameters<Reads['get']>) => {
              if (moment === null) {
                moment = []
                asked.push(moment)
              }
              moment.push(collection.name)
              await nextTurn()
              moment = null
              return target.get(collection, ids)
            },
    })
    const working = new WorkingSet(reads)
    const folder = new Folder(feed, working, new Map())
    const script = new Script()
    for (const told of [[registered('ann'), published('c1', { by: 'ann', tags: ['sea'] })], [change]]) {
      asked.length = 0
      const events = script.write(...told).map((record) => ({ record, decoded: decode(record) }))
      await folder.prefetch(events)
      for (const event of events) await folder.fold(event, null, async () => {})
      const from = await target.checkpoint()
      await target.commit({ from, to: { ...from, position: (from.position + events.length) as Position }, writes: working.writes() })
      working.committed()
    }
    t.strictSame(asked, [['terms']])
  })
}
