import t from 'tap'
import { AskRequest, toQuestion } from '../../src/ask/request.js'
import { ServiceError } from '../../src/contract/errors.js'
import { acceptedLanguages } from '../../src/contract/locale.js'

const NOTHING = {
  text: '',
  previous: [],
  mode: 'generate',
  locale: null,
  fallbackLocales: [],
  streaming: false,
  queryId: null,
  debug: false,
}

t.test('every form of a question is the same question', async (t) => {
  const forms: [unknown, object][] = [
    [undefined, {}],
    [null, {}],
    [{}, {}],
    [{ query: null, prefer: null, context: null, prev: null }, {}],
    [{ debug: 'true' }, { debug: true }],
    [{ query: '  what is\u0000 \u200bthis ?\n' }, { text: 'what is this ?' }],
    [{ query: { text: 'hello', site: 'all' } }, { text: 'hello' }],
    [{ query: { site: 'all' } }, {}],
    [
      { query: 'x', prefer: { streaming: true, mode: 'list' } },
      { text: 'x', streaming: true, mode: 'list' },
    ],
    [
      { query: 'x', streaming: 'true', mode: 'summarize' },
      { text: 'x', streaming: true, mode: 'summarize' },
    ],
    [{ query: 'x', prefer: { streaming: false }, streaming: true }, { text: 'x' }],
    [
      { query: 'x', prev: 'a' },
      { text: 'x', previous: ['a'] },
    ],
    [
      { query: 'x', context: { prev: ['a', ' ', 'b'], text: 'c' } },
      { text: 'x', previous: ['c', 'a', 'b'] },
    ],
    [
      { query: 'x', prefer: { 'accept-language': 'de-AT, en;q=0.5' } },
      { text: 'x', locale: 'de-AT' },
    ],
    [
      { query: 'x', query_id: 'mine' },
      { text: 'x', queryId: 'mine' },
    ],
    [{ query: 'x', something: { else: 1 } }, { text: 'x' }],
  ]
  for (const [body, expected] of forms) t.strictSame(toQuestion(body), { ...NOTHING, ...expected }, JSON.stringify(body))
})

t.test('the body chooses the language before the path, and both before the browser', async (t) => {
  const hints = { locale: 'es', acceptLanguage: 'fr, ja;q=0.9, *;q=0.1, not a tag, de;q=0' }
  t.match(toQuestion({}, hints), { locale: 'es', fallbackLocales: ['fr', 'ja'] })
  t.match(toQuestion({ prefer: { 'accept-language': 'de' } }, hints), { locale: 'de' })
  t.match(toQuestion({ prefer: { 'accept-language': '*' } }, hints), { locale: 'es' })
  t.strictSame(acceptedLanguages('de;q=0.2,en-GB,es;q=0.9,;;,'), ['en-GB', 'es', 'de'])
})

t.test('only the last of many earlier questions count', async (t) => {
  const prev = Array.from({ length: 50 }, (_, n) => `question ${n}`)
  t.strictSame(toQuestion({ prev }).previous, prev.slice(-10))
})

t.test('what breaks a rule is refused with its place', async (t) => {
  const bad: [unknown, string][] = [
    [{ query: 5 }, 'query'],
    [{ query: 'x'.repeat(2001) }, 'query'],
    [{ query: '\ud800' }, 'query'],
    [{ prefer: { mode: 'poem' } }, 'prefer.mode'],
    [{ prefer: 'fast' }, 'prefer'],
    [{ streaming: 'maybe' }, 'streaming'],
    [[], 'body'],
    ['what is this?', 'body'],
    [{ prev: Array(101).fill('x') }, 'prev'],
  ]
  for (const [body, path] of bad) {
    try {
      toQuestion(body)
      t.fail(`taken: ${JSON.stringify(body).slice(0, 60)}`)
    } catch (error) {
      t.ok(error instanceof ServiceError && error.status === 422, JSON.stringify(body).slice(0, 60))
      t.equal(error instanceof ServiceError && error.options.details?.[0]?.path, path)
    }
  }
  t.ok(AskRequest.safeParse({}).success)
})
