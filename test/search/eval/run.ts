/** `npm run eval:search`: types every wish into the search, asks for it, and prints how often the first results fit. `-- --details` shows what went wrong in the half to work with. */
import { DEMO_DEFAULTS, demoLog } from '../../../demo/index.js'
import { getCommunityFeed } from '../../../readmodels/feed/public-reads.js'
import { toQuestion } from '../../../src/ask/request.js'
import { Service, WEB_URL } from '../../harness/service.js'
import { fits, HALVES, ideaOf, type Wish, wishes } from './wishes.js'

const undo: (() => unknown)[] = []
const service = await Service.start(
  { teardown: (stop: () => unknown) => undo.push(stop) },
  { records: demoLog({ ...DEMO_DEFAULTS, webUrl: WEB_URL }) },
)
const all: string[] = []
let cursor: string | undefined
do {
  const { data } = await service.operations.execute(getCommunityFeed, { limit: 48, cursor })
  all.push(...data.items.map(({ title }) => title))
  cursor = data.next_cursor ?? undefined
} while (cursor !== undefined)
console.log(
  `${all.filter((title) => ideaOf(title) === undefined).length} of ${all.length} titles are of no idea: ${all
    .filter((title) => ideaOf(title) === undefined)
    .slice(0, 5)
    .join(' | ')}`,
)
const asked = wishes().filter((wish) => all.some((title) => fits(title, wish)))
console.log(`${asked.length} of ${wishes().length} wishes have something that fits`)

for (const warm of [1, 2]) await service.ask.warmUp(AbortSignal.timeout(warm * 60_000))
const WAYS: Record<string, (wish: Wish) => Promise<string[]>> = {
  async search({ query, lang }) {
    const { data } = await service.operations.execute(getCommunityFeed, { q: query, locale: lang, limit: 5 })
    return data.items.map(({ title }) => title)
  },
  async ask({ query }) {
    const { results, _meta } = await service.ask.ask(toQuestion({ query }))
    return _meta.response_type === 'answer' ? results.map(({ name }) => name) : []
  },
}

for (const [way, find] of Object.entries(WAYS)) {
  for (const half of HALVES) {
    let found = 0
    let pure = 0
    const of = asked.filter((wish) => wish.half === half)
    const times: number[] = []
    for (const wish of of) {
      const started = performance.now()
      const titles = (await find(wish)).slice(0, 3)
      times.push(performance.now() - started)
      const verdicts = titles.map((title) => fits(title, wish))
      if (verdicts.includes(true)) found += 1
      if (verdicts.length > 0 && !verdicts.includes(false)) pure += 1
      if (half === 'work' && process.argv.includes('--details') && !verdicts.includes(true))
        console.log(`${way} ${wish.id} ${wish.query}\n   ${JSON.stringify(wish.about)}\n   ${titles.join(' | ')}`)
    }
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]?.toFixed(1)
    console.log(
      `${way}, ${half}: found ${found}/${of.length}, all of the first three fit ${pure}/${of.length}; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
    )
  }
}
for (const stop of undo) await stop()
