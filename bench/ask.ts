import { DEMO_DEFAULTS, demoLog } from '../demo/index.js'
import { Ask } from '../src/ask/ask.js'
import { toQuestion } from '../src/ask/request.js'
import { readConfig } from '../src/compose/config.js'
import { openDocuments } from '../src/compose/stores.js'
import { PublicUrls } from '../src/contract/public-urls.js'
import { ReadExecutor } from '../src/operations/read-executor.js'
import { publicReads } from '../test/support/built-in-models.js'
import type { Figure } from './figures.js'
import { project, withFolder, writeLog } from './workspace.js'

const GOALS = { p50: 10, p99: 40 }
/** Every question once, which loads what the first question of a language needs. */
const WARM_UP = 1

const QUESTIONS = [
  'how much is the largest plan',
  'do unused credits roll over?',
  'how many requests per minute can I send',
  'My card was refused. Where else can I pay?',
  'what is trending in games?',
  'most liked trackers',
  'who is florian-knits',
  'how many games has florian-knits made',
  'who made pancake compannion',
  'is there an app for sourdough',
  'what is the capital of Peru',
  '¿cuánto cuesta el plan más caro?',
  '¿qué hay de nuevo en música?',
  '¿quién es florian-knits?',
  'was kostet das mittlere Abo?',
  'die beliebtesten Spiele',
  'welche Tags werden am meisten benutzt?',
  '使わなかったクレジットはどうなりますか',
  '人気のゲームは？',
  'florian-knitsのフォロワーは何人？',
]

const URL = 'https://vitrine.example'
const LIMITS = { public: 120, agent: 60, mcp: 60, windowS: 60 }

/** Questions in four languages, one after the other, on the demo community, once all that is kept has been read. */
export async function benchAsk(rounds: number): Promise<Figure[]> {
  return withFolder(async (folder) => {
    console.error('ask: projecting the demo community …')
    await writeLog(folder, demoLog({ ...DEMO_DEFAULTS, webUrl: URL }))
    await project(folder)
    const store = await openDocuments(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'warn' }))
    const operations = new ReadExecutor(store, new PublicUrls('vitrine.example'))
    const ask = new Ask({
      operations,
      installation: { baseUrl: URL, webUrl: URL, operations: publicReads.map(({ name }) => name), limits: LIMITS },
    })
    const times: number[] = []
    const cpuTimes: number[] = []
    const slowest = { question: '', ms: 0 }
    for (let round = -WARM_UP; round < rounds; round++) {
      for (const question of QUESTIONS) {
        const cpu = process.cpuUsage()
        const started = performance.now()
        await ask.ask(toQuestion({ query: question }))
        const ms = performance.now() - started
        if (round < 0) continue
        times.push(ms)
        const { user, system } = process.cpuUsage(cpu)
        cpuTimes.push((user + system) / 1000)
        if (ms > slowest.ms) Object.assign(slowest, { question, ms })
      }
    }
    await store.close()
    console.error(`ask: the slowest was "${slowest.question}", ${Math.round(slowest.ms)} ms`)
    const figure = (name: 'p50' | 'p99', share: number): Figure => {
      const value = percentile(times, share)
      return {
        name: `ask, ${times.length} questions, ${name}`,
        value,
        unit: 'ms',
        // Times by the clock also depend on what else the machine was doing.
        reference: `${percentile(cpuTimes, share).toFixed(1)} ms of processor time`,
        goal: `≤ ${GOALS[name]}`,
        met: value <= GOALS[name],
      }
    }
    return [figure('p50', 0.5), figure('p99', 0.99)]
  })
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0
