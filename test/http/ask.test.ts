import { createParser, type EventSourceMessage } from 'eventsource-parser'
import fc from 'fast-check'
import t from 'tap'
import { AskResponse } from '../../src/ask/response.js'
import { refused } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { Service, WEB_URL } from '../harness/service.js'

const ADDRESSES = ['/ask', '/api/ask', '/nlweb/ask', '/en/ask']

await t.test('ask', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const post = (url: string, payload?: object, headers: Record<string, string> = {}) =>
    service.web.inject({ method: 'POST', url, ...(payload === undefined ? {} : { payload }), headers })

  await t.test('answers the same under all its addresses', async (t) => {
    const [first, ...others] = await Promise.all(ADDRESSES.map((url) => post(url, { query: 'what has @ada-l made?' })))
    t.equal(first?.statusCode, 200)
    t.match(first?.headers, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'content-language': 'en' })
    const answer = AskResponse.parse(first?.json())
    t.match(answer.answer, /Tide clock/)
    t.match(answer._meta, { response_type: 'answer', mode: 'generate', locale: 'en', position: COMMUNITY.length })
    for (const other of others) t.strictSame({ ...other.json(), query_id: '' }, { ...answer, query_id: '' })
  })

  await t.test('takes no body at all, and an empty one, as nothing asked', async (t) => {
    for (const response of [await post('/ask'), await post('/ask', {}), await post('/ask', {}, { 'content-type': 'application/json' })]) {
      t.equal(response.statusCode, 200)
      t.equal(AskResponse.parse(response.json())._meta.response_type, 'elicitation')
    }
  })

  await t.test('answers in the language of the body, the path, the question or the browser, in this order', async (t) => {
    const locale = async (url: string, body: object, headers = {}) => {
      const response = await post(url, body, headers)
      const { locale } = AskResponse.parse(response.json())._meta
      t.equal(response.headers['content-language'], locale)
      return locale
    }
    t.equal(await locale('/es/ask', { query: 'trending' }), 'es')
    t.equal(await locale('/es-419/ask', { query: '@ada-l' }), 'es')
    t.equal(await locale('/es/ask', { query: 'trending', prefer: { 'accept-language': 'ja' } }), 'ja')
    t.equal(await locale('/es/ask', { query: 'what is trending?' }), 'es')
    t.equal(await locale('/ask', { query: 'what is trending?', prefer: { 'accept-language': 'de' } }), 'de')
    t.equal(await locale('/es/ask', { query: 'what is trending?', prefer: { 'accept-language': 'fr, ja;q=0.5' } }), 'ja')
    t.equal(await locale('/es/ask', { query: 'what is trending?', prefer: { 'accept-language': 'fr' } }), 'es', 'the path can be followed')
    t.equal(await locale('/fr/ask', { query: 'Was kostet das?' }), 'de', 'no language we have was chosen')
    t.equal(await locale('/de/ask', { query: '@ada-l', prev: ['what has @ben made?'] }), 'de')
    t.equal(await locale('/ask', { query: '@ada-l', prev: ['what has @ben made?'] }, { 'accept-language': 'de' }), 'en', 'said before')
    t.equal(await locale('/ask', {}, { 'accept-language': 'fr, de;q=0.8' }), 'de')
    t.equal(await locale('/ask', { query: 'Was kostet das?' }, { 'accept-language': 'en' }), 'de', 'a question speaks for itself')
    t.equal(await locale('/fr/ask', { query: 'prices' }), 'en', 'a language there is no content in')
  })

  await t.test('understands a question in its own language, and answers in that of the path', async (t) => {
    const questions: [string, Record<'en' | 'es' | 'de' | 'ja', RegExp>][] = [
      [
        'what is trending in games?',
        {
          en: /^Trending creations in Games/,
          es: /^En tendencia, creaciones/,
          de: /^Im Trend, Kreationen in Spiele/,
          ja: /トレンド|急上昇|人気/,
        },
      ],
      ['Wer hat Winter maze gemacht?', { en: /is a game by Cleo/, es: /Cleo/, de: /Cleo/, ja: /Cleo/ }],
      [
        'beliebteste Spiele',
        { en: /^Most liked games/, es: /^Con más «me gusta», juegos/, de: /^Am beliebtesten, Spiele/, ja: /Winter maze/ },
      ],
      ['¿Qué juegos son los más nuevos?', { en: /^Newest games/, es: /^Lo más nuevo, juegos/, de: /^Neu, Spiele/, ja: /新/ }],
      ['料金は？', { en: /^There are three monthly/, es: /180 USD/, de: /180 USD/, ja: /180 USD/ }],
      ['Was kostet ein Fahrrad in Paris?', { en: /^I do not know/, es: /^No lo sé/, de: /^Das weiß ich nicht/, ja: /わかりません/ }],
    ]
    for (const [query, answers] of questions) {
      const cited = new Set<string>()
      for (const language of ['en', 'es', 'de', 'ja'] as const) {
        const response = await post(`/${language}/ask`, { query })
        const { answer, citations, _meta } = AskResponse.parse(response.json())
        t.strictSame([response.headers['content-language'], _meta.locale], [language, language], `${language} ${query}`)
        t.match(answer, answers[language], `${language} ${query}`)
        for (const { id, url } of citations) {
          cited.add(id.replace(/locale=../, ''))
          t.match(url, new RegExp(`/docs/${language}/|locale=${language}`), 'cited in the same language')
        }
      }
      t.equal(cited.size, 1, `${query}: the same source in every language`)
    }
  })

  await t.test('begins with the prices where they are asked for, and says how to page', async (t) => {
    const first = async (query: string) => {
      const { answer, citations } = AskResponse.parse((await post('/ask', { query })).json())
      return `${citations[0]?.id} ${answer}`
    }
    const prices = ['how much is it', 'prices', 'Pricing?', 'what are the prices', "what's the price", 'what’s the price?']
    const elsewhere = [
      'cuánto es',
      'precios',
      '¿Cuál es el precio?',
      'wie viel ist das',
      'Preise',
      'was ist der Preis?',
      '価格',
      '料金はいくらですか？',
    ]
    for (const query of [...prices, ...elsewhere]) t.match(await first(query), /^plans\/tiers .*20 USD.*180 USD/, query)
    for (const query of ['how do I page', 'cómo pagino', 'wie blättere ich?', 'ページ送りはどうするの？'])
      t.match(await first(query), /^api\/paging .*next_cursor.*cursor/, query)
    t.notMatch(await first('is there a free plan?'), /^plans\/tiers/, 'what is not published is still said')
  })

  await t.test('refuses what it cannot read, and never with a 5xx', async (t) => {
    refused(t, await post('/ask', { query: 5 }), 422, 'validation_failed')
    refused(t, await post('/not a tag/ask'.replaceAll(' ', '%20'), { query: 'x' }), 404, 'not_found')
    refused(t, await post('/en_US/ask', { query: 'x' }), 404, 'not_found')
    for (const url of ADDRESSES) {
      const response = await service.web.inject({ url })
      refused(t, response, 405, 'invalid_request')
      t.match(response.headers.allow, /POST/)
    }
    const raw = (payload: string, type = 'application/json') =>
      service.web.inject({ method: 'POST', url: '/ask', payload, headers: { 'content-type': type } })
    refused(t, await raw('{"query":'), 400, 'invalid_request')
    refused(t, await raw('query=x', 'application/x-www-form-urlencoded'), 415, 'invalid_request')
    refused(t, await raw(JSON.stringify({ query: 'x'.repeat(70_000) })), 413, 'invalid_request')
  })

  await t.test('streams start, one result per item, and complete', async (t) => {
    const plain = AskResponse.parse((await post('/ask', { query: 'newest games' })).json())
    const response = await post('/ask', { query: 'newest games', prefer: { streaming: true } })
    t.match(response.headers, { 'content-type': 'text/event-stream; charset=utf-8', 'content-language': 'en' })
    const events = eventsIn(response.body)
    t.strictSame(
      events.map(({ event }) => event),
      ['start', ...plain.results.map(() => 'result'), 'complete'],
    )
    const data = events.map((event) => JSON.parse(event.data))
    const { version, mode, locale } = plain._meta
    t.strictSame(data[0], { message_type: 'start', _meta: { version, mode, locale, streaming: true } }, 'promises no type of response')
    t.strictSame(
      data.slice(1, -1),
      plain.results.map((item, index) => ({ message_type: 'result', index, item })),
    )
    t.match(data.at(-1), { message_type: 'complete', answer: plain.answer, citations: plain.citations })
    t.strictSame(data.at(-1)._meta, { ...plain._meta, total_items: plain.results.length })
  })

  await t.test('ends the stream when the client leaves, and goes on serving', async (t) => {
    const port = await service.listen(service.web)
    const leaving = new AbortController()
    const response = await fetch(`http://127.0.0.1:${port}/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'newest games', prefer: { streaming: true } }),
      signal: leaving.signal,
    })
    t.ok((await response.body?.getReader().read())?.value)
    leaving.abort()
    t.equal((await post('/ask', { query: 'price' })).statusCode, 200)
  })

  await t.test('cites pages that exist, as HTML and as Markdown', async (t) => {
    const { citations } = AskResponse.parse((await post('/ask', { query: 'how much does it cost' })).json())
    const url = new URL(citations[0]?.url ?? '')
    t.equal(url.origin, WEB_URL)
    t.match((await service.web.inject(url.pathname)).body, new RegExp(`id="${url.hash.slice(1)}"`))
    const markdown = await service.web.inject(`${url.pathname}.md`)
    t.match(markdown.headers, { 'content-type': 'text/markdown; charset=utf-8', 'content-language': 'en' })
    t.match(markdown.body, /^# .*\n/)
    t.notMatch(markdown.body, /<!--|\{\{/, 'nothing that is only for the search')
    for (const path of ['/docs/en/nothing', '/docs/fr/plans', '/docs/en/nothing.md', '/docs/en/..%2f..%2fpackage.md']) {
      refused(t, await service.web.inject({ url: path, headers: { accept: 'application/json' } }), 404, 'not_found', path)
    }
  })

  await t.test('has a text of every live read', async (t) => {
    const text = async (path: string) => {
      const { statusCode, headers, body } = await service.web.inject(path)
      t.match({ statusCode, type: headers['content-type'] }, { statusCode: 200, type: 'text/plain; charset=utf-8' }, path)
      return body
    }
    t.match(await text('/text/community?sort=liked&kind=game&limit=2'), /1\. Winter maze by Cleo \(@cleo\), a game: 3 likes/)
    t.match(await text('/text/community?sort=nonsense&limit=-1&featured=perhaps'), /Trending creations/)
    t.match(await text('/text/tags?locale=de'), /puzzle \(2\)/)
    t.match(await text('/text/categories?locale=de'), /Spiele \(2\)/)
    t.match(await text('/text/user/ada-l'), /Small tools for people near the sea\./)
    t.match(await text('/text/user/ada-l/followers'), /Ada L\. \(@Ada-L\) has 3 followers\nCleo \(@cleo\)/)
    t.match(await text('/text/user/ben/following'), /Ben \(@ben\) follows 1 creator\nAda L\./)
    t.match(await text('/text/app/ben/Garden.Maze'), /Garden maze is a game by Ben \(@ben\) in Games\./)
    for (const path of ['/text/user/nobody', '/text/user/nobody/followers', '/text/app/ben/nothing', '/text/x']) {
      refused(t, await service.web.inject(path), 404, 'not_found', path)
    }
  })
})

await t.test('every question gets an answer', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const bit = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'tagged ',
      'タグ',
      'who is ',
      'how many ',
      'in ',
      '@',
      '/',
      '"',
      'about ',
      'trending ',
      'find ',
      'x'.repeat(300),
      '😀'.repeat(150),
      '#',
    ),
  )
  const text = fc.array(bit, { maxLength: 12 }).map((bits) => bits.join('').toWellFormed().slice(0, 2000).toWellFormed())
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(text, { maxLength: 2 }),
      fc.constantFrom('list', 'summarize', 'generate'),
      async (query, prev, mode) => {
        const { statusCode, body } = await service.web.inject({ method: 'POST', url: '/ask', payload: { query, prev, mode } })
        if (statusCode !== 200) throw new Error(`${statusCode}: ${body}`)
        AskResponse.parse(JSON.parse(body))
      },
    ),
    { numRuns: 150 },
  )
})

await t.test('while the models are being loaded, facts are known already', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY, projecting: false })
  const ask = (query: string) => service.web.inject({ method: 'POST', url: '/ask', payload: { query } })
  t.match((await ask('how much does it cost?')).json(), { answer: /180 USD/ })
  refused(t, await ask('what is trending in games?'), 503, 'upstream_unavailable')

  const port = await service.listen(service.web)
  const response = await fetch(`http://127.0.0.1:${port}/de/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'what is trending in games?', prefer: { streaming: true } }),
  })
  t.strictSame([response.status, response.headers.get('content-language')], [200, 'de'])
  const [start, complete, ...others] = eventsIn(await response.text()).map(({ data }) => JSON.parse(data))
  t.notOk('response_type' in start._meta, 'a stream that fails has not promised an answer')
  const failure = { code: 50300, error: 'upstream_unavailable', retryable: true, request_id: response.headers.get('x-request-id') }
  t.match(complete, { message_type: 'complete', _meta: { response_type: 'failure', locale: 'de', total_items: 0 }, ...failure })
  t.strictSame(others, [])

  for (const attempt of ['first', 'second']) {
    const payload = { query: 'what is trending in games?', prefer: { streaming: true } }
    const failed = await service.web.inject({ method: 'POST', url: '/ask', headers: { 'idempotency-key': 'k' }, payload })
    t.match(failed.body, /upstream_unavailable/)
    t.equal(failed.headers['idempotency-replayed'], undefined, `a failed stream is not kept: ${attempt}`)
  }
})

function eventsIn(body: string): EventSourceMessage[] {
  const events: EventSourceMessage[] = []
  createParser({ onEvent: (event) => events.push(event) }).feed(body)
  return events
}
