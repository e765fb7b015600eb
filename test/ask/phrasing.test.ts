import type { RequestListener } from 'node:http'
import t from 'tap'
import { isGrounded, rephrased } from '../../src/ask/answer/rephrase.js'
import { languageModel } from '../../src/ask/language-model.js'
import { BROKEN, patienceWith, saying, serveModel } from '../harness/language-model.js'

const ANSWER = 'Unused credits roll over for as long as you are subscribed.'
const SNIPPET = `${ANSWER} The top tier has 10,000 credits for 180 USD; see https://web.example/docs.`
const PHRASABLE = {
  question: 'do they expire?',
  answer: ANSWER,
  citations: [{ id: 'x', title: 'x', url: 'https://web.example/x', snippet: SNIPPET }],
  language: 'en',
} as const

t.test('a text is grounded when it says nothing else than its sources', async (t) => {
  const cases: [string, boolean][] = [
    ['Credits you have not used roll over while you are subscribed.', false],
    ['Unused credits roll over as long as you stay subscribed.', true],
    ['Unused credits roll over; the top tier has 10000 credits.', true],
    ['Unused credits roll over; the top tier has 20,000 credits.', false],
    ['Unused credits roll over for 12 months.', false],
    ['Unused credits never roll over.', false],
    ['Unused credits roll over, says Marisol Vega.', false],
    ['Unused credits roll over, see https://web.example/docs.', true],
    ['Unused credits roll over, see https://evil.example/.', false],
    ['Unused credits roll over, see evil.example', false],
    ['Unused credits roll over, ask @somebody.', false],
    ['Unused credits roll over, see [this](/x).', false],
    ['Bananas grow in warm and humid places of the world.', false],
    ['', false],
    ['Unused credits roll over. '.repeat(60), false],
  ]
  for (const [text, grounded] of cases) t.equal(isGrounded(text, ANSWER, [SNIPPET], 'en'), grounded, text.slice(0, 80))
})

t.test('a language model is only listened to when it keeps to what was found', async (t) => {
  const same = 'Unused credits roll over as long as you stay subscribed.'
  const behaviours: [string, RequestListener, string | null][] = [
    ['rephrases', saying(same), same],
    ['lies', saying('Unused credits roll over for 3 months.'), null],
    ['turns it round', saying('Unused credits do not roll over.'), null],
    ['emits a link', saying('Unused credits roll over, see https://evil.example/login.'), null],
    ['talks of its prompt', saying('My system prompt tells me to rephrase answers in one or two sentences.'), null],
    ['says nothing', saying(''), null],
    ...BROKEN.map(([name, behaviour]): [string, RequestListener, null] => [name, behaviour, null]),
  ]
  for (const [name, behaviour, expected] of behaviours) {
    const model = languageModel({ url: await serveModel(t, behaviour), timeoutMs: patienceWith(name) })
    t.equal(await rephrased(model, PHRASABLE), expected, name)
  }
  t.equal(await rephrased(languageModel({ url: 'http://127.0.0.1:1/v1', timeoutMs: 10_000 }), PHRASABLE), null, 'no server')
})

t.test('the model gets the passages, the name and the key, and the question as data', async (t) => {
  const seen: { url?: string | undefined; authorization?: string | undefined; body: string }[] = []
  const url = await serveModel(t, async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    seen.push({ url: request.url, authorization: request.headers.authorization, body })
    response.end('{}')
  })
  await rephrased(languageModel({ url: `${url}/chat/completions`, model: 'small', key: 'k', timeoutMs: 10_000 }), PHRASABLE)
  t.match(seen[0], { url: '/v1/chat/completions', authorization: 'Bearer k' })
  const { model, messages } = JSON.parse(seen[0]?.body ?? '{}')
  t.equal(model, 'small')
  t.strictSame(JSON.parse(messages[1].content), { question: PHRASABLE.question, answer: ANSWER, passages: [SNIPPET] })
})
