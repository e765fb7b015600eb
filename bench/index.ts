/**
 * `npm run bench [-- --only fold,page,ask,hot,live,rebuild,memory,during --fold-creations 50000 --creations 200000 --rounds 60]`
 * Prints one table. Every figure that can be a ratio is one, to a reference measured in the same run, because
 * seconds say more about the machine than about the program. `--save NAME` keeps the result under `bench/results/`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { benchAsk } from './ask.js'
import { benchFold } from './fold.js'
import { benchHot } from './hot/index.js'
import { benchLive } from './live.js'
import { describeMachine } from './machine.js'
import { benchPages } from './pages.js'
import { benchDuring } from './rebuild/during.js'
import { benchMemory, benchRebuild } from './rebuild/index.js'
import { STORES } from './servers.js'
import { type Figure, printTable } from './table.js'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'fold,page' },
    'fold-creations': { type: 'string', default: '50000' },
    creations: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '60' },
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
    save: { type: 'string' },
  },
})

const wanted = new Set(values.only.split(','))
const stores = STORES.filter((store) => values.stores.split(',').includes(store))
const figures: Figure[] = []
if (wanted.has('fold')) figures.push(...(await benchFold(Number(values['fold-creations']))))
if (wanted.has('page')) figures.push(...(await benchPages(Number(values.creations), Number(values.rounds))))
if (wanted.has('ask')) figures.push(...(await benchAsk(Number(values['ask-rounds']))))
if (wanted.has('rebuild')) figures.push(...(await benchRebuild(Number(values['rebuild-events']), stores)))
if (wanted.has('memory')) figures.push(...(await benchMemory(values['memory-events'].split(',').map(Number), stores)))
if (wanted.has('during')) figures.push(...(await benchDuring(Number(values['during-events']), Number(values['max-rate']), stores)))
if (wanted.has('hot')) {
  figures.push(
    ...(await benchHot({
      creations: Number(values['hot-creations']),
      urls: Number(values['hot-urls']),
      seconds: Number(values['hot-seconds']),
      rounds: Number(values['hot-rounds']),
    })),
  )
}
if (wanted.has('live')) figures.push(...(await benchLive(Number(values['live-creations']), Number(values['live-rate']))))

const machine = describeMachine()
console.log(`\n${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, load ${machine.load}\n`)
printTable(figures)
if (values.save !== undefined) {
  mkdirSync('bench/results', { recursive: true })
  writeFileSync(`bench/results/${values.save}.json`, `${JSON.stringify({ machine, figures }, null, 2)}\n`)
}
