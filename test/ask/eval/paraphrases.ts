/** Many ways to ask the same. */
import { readFileSync } from 'node:fs'
import { toQuestion } from '../../../src/ask/request.js'
import type { Service } from '../../harness/service.js'
import { ungrounded } from './grounding.js'
import { occurs } from './judge.js'

/** The file of the sources, seen from `dist/test/ask/eval/`. */
const FILE = new URL('../../../../test/ask/eval/paraphrases.tsv', import.meta.url)

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

/** Those that were not answered, or not as expected. */
export async function misunderstood({ ask }: Pick<Service, 'ask'>): Promise<unknown[]> {
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
  return wrong
}
