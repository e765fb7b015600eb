/**
 * `npm run bench [-- --only fold,uncached,search,growth,start,rss,batch,workers,guard,ask,hot,live,rebuild,memory,during --creations 200000 --rounds 40]`
 * Prints one table. Every figure that can be a ratio is one, to a reference measured in the same run, because
 * seconds say more about the machine than about the program. `--save NAME` keeps the result under `bench/results/`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { benchAsk } from './ask.js'
import { Communities } from './community/communities.js'
import { benchFold } from './fold.js'
import { benchGuard } from './guard.js'
import { benchHot } from './hot/index.js'
import { benchLive } from './live.js'
import { describeMachine } from './machine.js'
import { benchGrowth } from './reads/growth.js'
import { benchSearch } from './reads/search.js'
import { benchUncached } from './reads/uncached.js'
import { benchDuring } from './rebuild/during.js'
import { benchMemory, benchRebuild } from './rebuild/index.js'
import { STORES } from './servers.js'
import { benchBatch } from './serving/batch.js'
import { benchReaderMemory } from './serving/memory.js'
import { benchStart } from './serving/start.js'
import { benchWorkers } from './serving/workers.js'
import { type Figure, printTable } from './table.js'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'fold,uncached' },
    'fold-creations': { type: 'string', default: '50000' },
    creations: { type: 'string', default: '200000' },
    'small-creations': { type: 'string', default: '10000' },
    'mongo-creations': { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '40' },
    'start-rounds': { type: 'string', default: '5' },
    'ask-rounds': { type: 'string', default: '20' },
    'live-creations': { type: 'string', default: '5000' },
    'rebuild-events': { type: 'string', default: '200000' },
    'memory-events': { type: 'string', default: '1000000,5000000' },
    'during-events': { type: 'string', default: '200000' },
    'max-rate': { type: 'string', default: '5000' },
    stores: { type: 'string', default: STORES.join(',') },
    'live-rate': { type: 'string', default: '500' },
    'hot-creations': { type: 'string', default: '6000' },
    'hot-urls': { type: 'string', default: '10000' },
    'hot-seconds': { type: 'string', default: '4' },
    'hot-rounds': { type: 'string', default: '3' },
    'hot-events': { type: 'string', default: '100' },
    save: { type: 'string' },
  },
})

const wanted = new Set(values.only.split(','))
const stores = STORES.filter((store) => values.stores.split(',').includes(store))
const figures: Figure[] = []
if (wanted.has('fold')) figures.push(...(await benchFold(Number(values['fold-creations']))))
const communities = new Communities()
const creations = Number(values.creations)
const rounds = Number(values.rounds)
const seconds = Number(values['hot-seconds'])
const hotUrls = Number(values['hot-urls'])
if (wanted.has('guard')) figures.push(...(await benchGuard()))
if (wanted.has('uncached'))
  figures.push(...(await benchUncached(communities, { sqlite: creations, mongodb: Number(values['mongo-creations']) }, rounds, stores)))
if (wanted.has('search')) figures.push(...(await benchSearch(communities, creations, rounds)))
if (wanted.has('growth')) figures.push(...(await benchGrowth(communities, Number(values['small-creations']), creations, rounds)))
if (wanted.has('start')) figures.push(...(await benchStart(communities, creations, Number(values['start-rounds']))))
if (wanted.has('rss')) figures.push(...(await benchReaderMemory(communities, creations, hotUrls, seconds)))
if (wanted.has('batch')) figures.push(...(await benchBatch(communities, creations, rounds)))
if (wanted.has('workers')) figures.push(...(await benchWorkers(communities, creations, Number(values['hot-rounds']), seconds)))
communities.end()
if (wanted.has('ask')) figures.push(...(await benchAsk(Number(values['ask-rounds']))))
if (wanted.has('rebuild')) figures.push(...(await benchRebuild(Number(values['rebuild-events']), stores)))
if (wanted.has('memory')) figures.push(...(await benchMemory(values['memory-events'].split(',').map(Number), stores)))
if (wanted.has('during')) figures.push(...(await benchDuring(Number(values['during-events']), Number(values['max-rate']), stores)))
if (wanted.has('hot')) {
  figures.push(
    ...(await benchHot({
      creations: Number(values['hot-creations']),
      urls: hotUrls,
      seconds,
      rounds: Number(values['hot-rounds']),
      events: Number(values['hot-events']),
    })),
  )
}
if (wanted.has('live')) figures.push(...(await benchLive(Number(values['live-creations']), values['live-rate'].split(',').map(Number))))

const machine = describeMachine()
console.log(`\n${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, load ${machine.load}\n`)
printTable(figures)
if (values.save !== undefined) {
  mkdirSync('bench/results', { recursive: true })
  writeFileSync(`bench/results/${values.save}.json`, `${JSON.stringify({ machine, figures }, null, 2)}\n`)
}
