import { readFileSync } from 'node:fs'
import t from 'tap'
import { toQuestion } from '../../src/ask/request.js'
import { DEMO_DEFAULTS, demoLog } from '../../src/demo/index.js'
import { Service, WEB_URL } from '../serving/service.js'
import { ungrounded } from './eval/grounding.js'
import { occurs } from './eval/judge.js'

/** The file of the sources, seen from `dist/test/ask/`. */
const FILE = new URL('../../../test/ask/paraphrases.tsv', import.meta.url)

interface Paraphrase {
  language: string
  /** All of them; each is one or more alternatives. */
  expected: string[]
  query: string
  prev: string[]
}

function paraphrases(): Paraphrase[] {
  const lines = readFileSync(FILE, 'utf8').split('\n')
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [language = '', expected = '', query = '', ...prev] = line.split('\t')
      return { language, expected: expected.split(' & '), query, prev }
    })
}

await t.test('many ways to ask the same, on the demo community', async (t) => {
  const { ask } = await Service.start(t, { records: demoLog({ ...DEMO_DEFAULTS, webUrl: WEB_URL }) })
  const wrong: unknown[] = []
  for (const { language, expected, query, prev } of paraphrases()) {
    const response = await ask.ask(toQuestion({ query, prev }))
    const { answer, citations, _meta } = response
    const said = [answer, ...citations.flatMap(({ id, url, title, snippet }) => [id, url, title, snippet])].join('\n')
    const missing =
      expected[0] === '?'
        ? _meta.response_type === 'failure'
          ? []
          : ['I do not know']
        : expected.filter((entry) => _meta.response_type !== 'answer' || !occurs(entry, said))
    const unfounded = ungrounded(response)
    if (missing.length > 0 || unfounded.length > 0 || _meta.locale !== language) wrong.push({ query, answer, missing, unfounded })
  }
  t.strictSame(wrong, [])
})
