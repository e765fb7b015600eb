import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { DEMO_DEFAULTS, demoLog } from '../../demo/index.js'
import { toQuestion } from '../../src/ask/request.js'
import { AskResponse } from '../../src/ask/response.js'
import { Service, WEB_URL } from '../harness/service.js'
import { evaluate, line, nameOf, reports, scores } from './eval/evaluate.js'
import { holds } from './eval/floors.js'
import { ungrounded, visibleText } from './eval/grounding.js'
import { misunderstood } from './eval/paraphrases.js'

await t.test('the questions of the evaluation, on the demo community', async (t) => {
  const service = await Service.start(t, { records: demoLog({ ...DEMO_DEFAULTS, webUrl: WEB_URL }) })
  const verdicts = await evaluate(service)

  await t.test('are answered above the floors', async (t) => {
    for (const report of reports(verdicts)) t.comment(report)
    for (const score of scores(verdicts)) t.comment(line(score))
    t.ok(holds(scores(verdicts)), scores(verdicts).map(line).join(', '))
  })

  await t.test('are answered in the published shape', async (t) => {
    t.strictSame(verdicts.filter(({ response }) => !isDeepStrictEqual(AskResponse.parse(response), response)).map(nameOf), [])
  })

  await t.test('every number and name of an answer stands in a cited snippet', async (t) => {
    t.strictSame(verdicts.filter(({ response }) => ungrounded(response).length > 0).map(nameOf), [])
  })

  await t.test('every snippet stands on the page that is cited', async (t) => {
    const pages = new Map<string, string>()
    const elsewhere: string[] = []
    for (const verdict of verdicts) {
      for (const { url, snippet } of verdict.response.citations) {
        const page = pages.get(url) ?? (await pageText(service, url))
        pages.set(url, page)
        if (!page.includes(snippet.replace(/\s+/g, ' '))) elsewhere.push(nameOf(verdict))
      }
    }
    t.strictSame(elsewhere, [])
  })

  await t.test('many ways to ask the same are understood', async (t) => {
    t.strictSame(await misunderstood(service), [])
  })

  await t.test('the same question gets the same answer', async (t) => {
    const different: string[] = []
    for (const verdict of verdicts.filter((_, n) => n % 7 === 0)) {
      const { query, prev, mode } = verdict.asked
      if (!isDeepStrictEqual(await service.ask.ask(toQuestion({ query, prev, mode })), verdict.response)) different.push(nameOf(verdict))
    }
    t.strictSame(different, [])
  })
})

async function pageText(service: Service, url: string): Promise<string> {
  const { pathname, search } = new URL(url)
  if (!url.startsWith(WEB_URL)) throw new Error(`${url} is not ours`)
  const { statusCode, headers, body } = await service.web.inject(pathname + search)
  if (statusCode !== 200) throw new Error(`${statusCode} from ${url}`)
  return visibleText(body, String(headers['content-type']))
}
