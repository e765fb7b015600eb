/**
 * `npm run bench [-- --only fold,uncached … --creations 200000 --rounds 40]`
 * Prints one table. Every figure that can be a ratio is one, to a reference measured in the same run, because
 * seconds say more about the machine than about the program. `--save NAME` keeps the result under `bench/results/`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { benchAsk } from './ask.js'
import { benchCatchUp } from './catch-up.js'
import { Communities } from './community/communities.js'
import { benchEmmett } from './emmett/index.js'
import { type Figure, printTable } from './figures.js'
import { benchFold } from './fold.js'
import { benchHot } from './hot/index.js'
import { benchInputs } from './inputs.js'
import { benchLive } from './live.js'
import { benchConnections } from './load/connections.js'
import { benchOverload } from './load/overload.js'
import { benchStreams } from './load/streams.js'
import { describeMachine } from './machine.js'
import { benchGrowth } from './reads/growth.js'
import { benchRelevance } from './reads/relevance.js'
import { benchSearch } from './reads/search.js'
import { benchUncached } from './reads/uncached.js'
import { benchMemory, benchRebuild } from './rebuild/index.js'
import { benchReadsDuringRebuild } from './rebuild/reads-during-rebuild.js'
import { benchScale } from './scale.js'
import { STORES } from './servers.js'
import { benchBatch } from './serving/batch.js'
import { benchReaderMemory } from './serving/memory.js'
import { benchStart } from './serving/start.js'
import { benchWorkers } from './serving/workers.js'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    'fold-creations': { type: 'string', default: '50000' },
    creations: { type: 'string', default: '200000' },
    'many-creations': { type: 'string', default: '1000000' },
    'small-creations': { type: 'string', default: '10000' },
    'mongo-creations': { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '40' },
    'start-rounds': { type: 'string', default: '5' },
    'ask-rounds': { type: 'string', default: '20' },
    'inputs-every': { type: 'string', default: '1' },
    'catch-up-creations': { type: 'string', default: '3000' },
    'scale-events': { type: 'string', default: '100000,1000000' },
    over: { type: 'string' },
    'live-creations': { type: 'string', default: '5000' },
    'rebuild-events': { type: 'string', default: '200000' },
    'emmett-events': { type: 'string', default: '50000' },
    'memory-events': { type: 'string', default: '1000000,5000000' },
    'during-events': { type: 'string', default: '1000000' },
    'max-rate': { type: 'string', default: '10000' },
    stores: { type: 'string', default: STORES.join(',') },
    'live-rate': { type: 'string', default: '500,1000' },
    'hot-creations': { type: 'string', default: '6000' },
    'hot-urls': { type: 'string', default: '10000' },
    'hot-seconds': { type: 'string', default: '4' },
    'hot-rounds': { type: 'string', default: '3' },
    'hot-events': { type: 'string', default: '100' },
    'overload-by': { type: 'string', default: 'read' },
    'open-streams': { type: 'string', default: '1000' },
    'open-connections': { type: 'string', default: '5000' },
    save: { type: 'string' },
  },
})

const numbers = (list: string): number[] => list.split(',').map(Number)
const stores = STORES.filter((store) => values.stores.split(',').includes(store))
const communities = new Communities()
const creations = Number(values.creations)
const many = Number(values['many-creations'])
const rounds = Number(values.rounds)
const seconds = Number(values['hot-seconds'])
const hotRounds = Number(values['hot-rounds'])
const urls = Number(values['hot-urls'])

/** In the order in which they are measured. */
const PARTS: Record<string, () => Promise<Figure[]>> = {
  fold: () => benchFold(Number(values['fold-creations'])),
  uncached: () => benchUncached(communities, { sqlite: creations, mongodb: Number(values['mongo-creations']) }, rounds, stores),
  start: () => benchStart(communities, creations, Number(values['start-rounds'])),
  batch: () => benchBatch(communities, creations, rounds),
  workers: () => benchWorkers(communities, creations, hotRounds, seconds),
  search: () => benchSearch(communities, many, rounds),
  relevance: () =>
    benchRelevance(communities, { sqlite: [creations, many], mongodb: [Number(values['mongo-creations']), creations] }, stores),
  growth: () => benchGrowth(communities, Number(values['small-creations']), many, rounds),
  rss: () => benchReaderMemory(communities, many, urls, seconds),
  ask: () => benchAsk(Number(values['ask-rounds'])),
  inputs: () => benchInputs(Number(values['inputs-every'])),
  rebuild: () => benchRebuild(Number(values['rebuild-events']), stores),
  emmett: () => benchEmmett(Number(values['emmett-events'])),
  memory: () => benchMemory(numbers(values['memory-events']), stores),
  during: () => benchReadsDuringRebuild(Number(values['during-events']), Number(values['max-rate']), stores),
  hot: () =>
    benchHot({ creations: Number(values['hot-creations']), urls, seconds, rounds: hotRounds, events: Number(values['hot-events']) }),
  'catch-up': () => benchCatchUp(Number(values['catch-up-creations']), values.over),
  scale: () => benchScale(numbers(values['scale-events'])),
  live: () => benchLive(Number(values['live-creations']), numbers(values['live-rate']), stores),
  overload: () => benchOverload(values['overload-by'].split(','), stores),
  streams: () => benchStreams(Number(values['open-streams'])),
  connections: () => benchConnections(Number(values['open-connections'])),
}
/** The log of `memory` alone takes a quarter of an hour; the last three are no comparison. */
const ASKED_FOR = ['memory', 'during', 'inputs', 'scale', 'overload', 'streams', 'connections']

const wanted = values.only?.split(',') ?? Object.keys(PARTS).filter((name) => !ASKED_FOR.includes(name))
const unknown = wanted.find((name) => PARTS[name] === undefined)
if (unknown !== undefined) throw new Error(`there is no part ${unknown}: ${Object.keys(PARTS).join(', ')}`)
const machine = describeMachine()
const figures: Figure[] = []
try {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (!wanted.includes(name)) continue
    figures.push(...(await measure()))
    // After each part: a run of an hour that is cut short keeps what it has.
    if (values.save !== undefined) save(values.save)
  }
} finally {
  communities.end()
}

console.log(`\n${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, load ${machine.load}\n`)
printTable(figures)

function save(name: string): void {
  mkdirSync('bench/results', { recursive: true })
  writeFileSync(`bench/results/${name}.json`, `${JSON.stringify({ machine, figures }, null, 2)}\n`)
}
