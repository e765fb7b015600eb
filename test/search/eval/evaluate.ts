/** How often what people look for leads to something that fits. */
import { DEMO_DEFAULTS, demoLog } from '../../../demo/index.js'
import { getCommunityFeed } from '../../../readmodels/feed/public-reads.js'
import { toQuestion } from '../../../src/ask/request.js'
import type { AskResponse } from '../../../src/ask/response.js'
import { Service, type ServiceOptions, WEB_URL } from '../../harness/service.js'
import { otherCommunity, otherQuestions } from './other-community.js'
import { fits, HALVES, wishes } from './wishes.js'

/** What was shown first, as titles of creations or handles of creators. */
interface Shown {
  titles: string[]
  creators: string[]
}

interface Question {
  id: string
  lang: string
  half: (typeof HALVES)[number]
  query: string
  /** Whether a title fits; of a question for a creator, whether a handle does. */
  fits(title: string): boolean
  wantsCreator: boolean
}

type Way = (service: Service, question: Question) => Promise<Shown>

export const WAYS: Record<string, Way> = {
  async search({ operations }, { query, lang }) {
    const { data } = await operations.execute(getCommunityFeed, { q: query, locale: lang, limit: 5 })
    return { titles: data.items.map(({ title }) => title), creators: data.creators.map(({ handle }) => handle) }
  },
  async ask({ ask }, { query }) {
    const { results, _meta } = await ask.ask(toQuestion({ query }))
    return _meta.response_type === 'answer' ? shownIn(results) : { titles: [], creators: [] }
  },
  /** With what comes nearest where nothing is an answer. */
  async 'ask, nearest too'({ ask }, { query }) {
    return shownIn((await ask.ask(toQuestion({ query }))).results)
  },
}

const shownIn = (results: AskResponse['results']): Shown => ({
  titles: results.map(({ name }) => name),
  creators: results.map(({ alternateName }) => String(alternateName).replace('@', '')),
})

export interface Searches {
  name: string
  service: Service
  questions: Question[]
  stop(): Promise<void>
}

export async function searches(): Promise<Searches[]> {
  const demo = await started({ records: demoLog({ ...DEMO_DEFAULTS, webUrl: WEB_URL }) })
  const titles = await titlesOf(demo.service)
  const wanted = wishes()
    .map(({ about, ...wish }) => ({ ...wish, wantsCreator: false, fits: (title: string) => fits(title, { about }) }))
    .filter((wish) => titles.some(wish.fits))
  const other = await started({ events: otherCommunity() })
  const asked = otherQuestions().map(({ fits: ids = [], creator, ...question }) => {
    const fitting = new Set(ids.flatMap((id) => Object.values(titleOf(id))))
    return { ...question, wantsCreator: creator !== undefined, fits: (shown: string) => shown === creator || fitting.has(shown) }
  })
  return [
    { name: 'the demo', questions: wanted, ...demo },
    { name: 'another community', questions: asked, ...other },
  ]
}

async function started(options: ServiceOptions) {
  const undo: (() => unknown)[] = []
  const service = await Service.start({ teardown: (stop: () => unknown) => undo.push(stop) }, options)
  await service.ask.warmUp(AbortSignal.timeout(60_000))
  const stop = async () => {
    for (const each of undo) await each()
  }
  return { service, stop }
}

async function titlesOf({ operations }: Service): Promise<string[]> {
  const titles: string[] = []
  for (let cursor: string | undefined; ; ) {
    const { data } = await operations.execute(getCommunityFeed, { limit: 48, cursor })
    titles.push(...data.items.map(({ title }) => title))
    if (data.next_cursor === null) return titles
    cursor = data.next_cursor
  }
}

const TITLES = new Map(
  otherCommunity().flatMap(({ data, subject }) =>
    subject.startsWith('creation/') ? [[subject, (data as { title: Record<string, string> }).title] as const] : [],
  ),
)

const titleOf = (id: string): Record<string, string> => TITLES.get(`creation/${id.replace('/', '--')}`) ?? {}

const SHOWN = 3

export async function score(questions: readonly Question[], find: (question: Question) => Promise<Shown>) {
  const failures: string[] = []
  const lines: string[] = []
  const shares: Partial<Record<(typeof HALVES)[number], number>> = {}
  for (const half of HALVES) {
    const of = questions.filter((question) => question.half === half)
    let found = 0
    let pure = 0
    for (const question of of) {
      const { titles, creators } = await find(question)
      const first = (question.wantsCreator ? creators : titles).slice(0, SHOWN)
      const verdicts = first.map(question.fits)
      if (verdicts.includes(true)) found += 1
      else if (half === 'work') failures.push(`${question.id} ${question.query}\n   ${first.join(' | ')}`)
      if (verdicts.length > 0 && !verdicts.includes(false)) pure += 1
    }
    shares[half] = found / of.length
    lines.push(`${half}: something fits in ${found} of ${of.length}, everything among the first ${SHOWN} in ${pure}`)
  }
  return { lines, failures, shares }
}
