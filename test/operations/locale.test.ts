import t from 'tap'
import { acceptedLanguages, bestLocale, isLocale, Localizer } from '../../src/contract/locale.js'

await t.test('lookup as in RFC 4647: exact, then shorter and shorter, then English, then any', async (t) => {
  const table: [wanted: string, available: string[], best: string | null][] = [
    ['de', ['en', 'de'], 'de'],
    ['de-AT', ['en', 'de', 'de-AT'], 'de-AT'],
    ['de-AT', ['en', 'de', 'de-CH'], 'de'],
    ['de-1996', ['de'], 'de'],
    ['zh-Hant-TW', ['zh', 'zh-Hant'], 'zh-Hant'],
    ['zh-Hant-CN-x-private1-private2', ['zh-Hant-CN'], 'zh-Hant-CN'],
    ['zh-Hant-CN-x-private1-private2', ['zh-Hant-CN-x-private1', 'zh'], 'zh-Hant-CN-x-private1'],
    ['en-x-private', ['en', 'x'], 'en'],
    ['de-u-co-phonebk', ['de', 'en'], 'de'],
    ['de-u-co-phonebk', ['de-u', 'en'], 'en'],
    ['sl-rozaj-biske', ['sl-rozaj'], 'sl-rozaj'],
    ['pt', ['pt-BR', 'en'], 'en'],
    ['fr', ['de', 'en-GB', 'es'], 'de'],
    ['fr', ['EN', 'es'], 'EN'],
    ['fr', ['es', 'de'], 'de'],
    ['fr', [], null],
    ['DE-at', ['en', 'de-AT'], 'de-AT'],
    ['de-at', ['en', 'DE-AT'], 'DE-AT'],
    ['dE', ['en', 'De'], 'De'],
  ]
  for (const [wanted, available, best] of table) t.equal(bestLocale(available, wanted), best, `${wanted} of ${available.join(', ')}`)
})

await t.test('a BCP-47 tag is a locale, anything else is not', async (t) => {
  for (const tag of [
    'en',
    'de-AT',
    'EN-us',
    'zh-Hant-TW',
    'sr-Latn-RS',
    'es-419',
    'en-x-private',
    'de-u-co-phonebk',
    'sl-rozaj-biske',
    'und',
    'x-private',
    'i-klingon',
    'sgn-BE-FR',
  ]) {
    t.ok(isLocale(tag), tag)
  }
  const nonsense = [
    '',
    'e',
    'en_US',
    'en-',
    '-en',
    'en--US',
    '*',
    'de-*',
    'english language',
    'en\n',
    'en\u0000',
    '日本',
    'en-a',
    'abcdefghi',
    '12',
    '../en',
    'en;q=1',
    'x-',
    'i-nothing',
  ]
  for (const tag of nonsense) t.notOk(isLocale(tag), JSON.stringify(tag))
})

await t.test('a reader chooses texts and remembers in which languages', async (t) => {
  const reader = new Localizer('de')
  t.equal(reader.text({ en: 'maze', de: 'Irrgarten' }), 'Irrgarten')
  t.strictSame(reader.languages, ['de'])
  t.equal(reader.text({ en: 'clock', fr: 'horloge' }), 'clock')
  t.equal(reader.text({ fr: 'horloge', 'es-MX': 'reloj' }), 'reloj')
  t.strictSame(reader.languages, ['de', 'en', 'es-MX'], 'the wanted one first, then the others')
  t.equal(reader.text({}), '', 'nothing is no language')
  t.strictSame(reader.languages, ['de', 'en', 'es-MX'])
})

await t.test('the language nearest to the wanted one comes first, however it is written', async (t) => {
  const table: [wanted: string, languages: string[]][] = [
    ['es-419', ['es', 'de', 'en']],
    ['ES', ['es', 'de', 'en']],
    ['ja', ['en', 'de', 'es']],
  ]
  for (const [wanted, languages] of table) {
    const reader = new Localizer(wanted)
    for (const language of ['de', 'en', 'es']) reader.text({ [language]: 'clock' })
    t.strictSame(reader.languages, languages, wanted)
  }
})

await t.test('Content-Language stays short', async (t) => {
  const reader = new Localizer('ja')
  const long = `en${'-abcdefgh'.repeat(2000)}`
  t.equal(reader.text({ [long]: 'endless' }), 'endless', 'a document that an older version wrote')
  t.strictSame(reader.languages, ['ja'])
  for (let n = 0; n < 100; n += 1) reader.text({ [`en-variant${n}`]: 'maze' })
  reader.text({ ja: '迷路' })
  t.equal(reader.languages.length, 10)
  t.equal(reader.languages[0], 'ja')
  t.ok(reader.languages.join(', ').length < 400)
})

await t.test('Accept-Language is cut before it is parsed', async (t) => {
  t.strictSame(acceptedLanguages(`${'fr;q=0.1, '.repeat(1400)}de`), Array(50).fill('fr'))
  t.strictSame(acceptedLanguages(`ja, ${'x'.repeat(14_000)}`), ['ja'])
  t.strictSame(acceptedLanguages(`${' '.repeat(493)}de;q=0.9, en`), [], 'an entry that is cut in two would have another weight')
  t.notOk(isLocale(`en${'-abcdefgh'.repeat(1500)}`), 'nor is a tag of any length looked at')
})

await t.test('a reader who never had to choose answers in the language that was asked for', async (t) => {
  t.strictSame(new Localizer('ja').languages, ['ja'])
})

await t.test('a reader who found nothing in the wanted language does not claim it', async (t) => {
  const reader = new Localizer('ja')
  reader.text({ en: 'maze' })
  t.strictSame(reader.languages, ['en'])
})

await t.test('names that every object has are languages like any other', async (t) => {
  for (const name of ['toString', 'valueOf']) {
    t.ok(isLocale(name), `${name} has the form of a tag`)
    const reader = new Localizer(name)
    t.equal(reader.text({ en: 'maze' }), 'maze')
    t.strictSame(reader.languages, ['en'])
  }
})

t.test('what is no language tag is told without an error of Intl, and a list has few entries', async (t) => {
  const { getCanonicalLocales } = Intl
  t.teardown(() => Object.assign(Intl, { getCanonicalLocales }))
  const asked: unknown[] = []
  Object.assign(Intl, {
    getCanonicalLocales: (tag: string) => {
      asked.push(tag)
      return getCanonicalLocales(tag)
    },
  })
  t.strictSame(acceptedLanguages(','.repeat(500)), [])
  t.strictSame(asked, [])
  t.strictSame(acceptedLanguages('a,'.repeat(250)), [])
  t.ok(asked.length <= 50, `${asked.length} were looked at`)
  t.strictSame(acceptedLanguages('de-CH, , en;q=0.5'), ['de-CH', 'en'])
})
