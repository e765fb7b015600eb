import fc from 'fast-check'
import t from 'tap'
import { tokenize } from '../../src/lib/tokenize.js'

const WORDS: Record<string, [text: string, found: string[]][]> = {
  'case and accents': [
    ['Crème BRÛLÉE', ['creme', 'brulee']],
    ['Cre\u0300me', ['creme']],
    ['ÅNGSTRÖM', ['angstrom']],
    ['Ёлка', ['елка']],
    ['Άλφα', ['αλφα']],
    ['İstanbul', ['istanbul']],
    ['ＦＵＬＬ ｗｉｄｔｈ', ['full', 'width']],
  ],
  English: [
    ['The Tide Clock', ['the', 'tide', 'clock']],
    ['games', ['game']],
    ['Stories', ['stori']],
    ['Movie boxes', ['movi', 'box']],
    ['glass', ['glass']],
    ['bonus', ['bonus']],
    ['analysis', ['analysis']],
    ['gas', ['gas']],
    ["don't", ['don', 't']],
  ],
  German: [
    ['Gezeitenuhr für Übungen', ['gezeitenuhr', 'fur', 'ubungen']],
    ['Straße', ['strasse']],
    ['STRASSE', ['strasse']],
    ['Apps', ['app']],
  ],
  Spanish: [
    ['¿Cuántos años?', ['cuanto', 'ano']],
    ['Juegos de niños', ['juego', 'de', 'nino']],
    ['País', ['pais']],
  ],
  Japanese: [
    ['写真日記', ['写真', '日記']],
    ['フォトアルバム', ['フォト', 'アルバム']],
    ['ﾌｫﾄ', ['フォト']],
    ['ガレージ', ['ガレージ']],
    ['AIで写真', ['ai', 'で', '写真']],
  ],
  'numbers, signs and nothing': [
    ['3D 2048', ['3d', '2048']],
    ['e-mail_box', ['e', 'mail', 'box']],
    ['C++ & C#', ['c', 'c']],
    ['💥', []],
    ['', []],
    ['— … !', []],
  ],
}

for (const [name, table] of Object.entries(WORDS))
  t.test(name, async (t) => {
    for (const [text, found] of table) t.strictSame(tokenize(text), found, JSON.stringify(text))
  })

t.test('voicing marks are not accents: は, ば and ぱ stay three different letters', async (t) => {
  t.equal(new Set(['はは', 'ばば', 'ぱぱ'].map((text) => tokenize(text).join())).size, 3)
})

t.test('what the index holds, a query finds: a token is its own token', async (t) => {
  const texts = Object.values(WORDS).flatMap((table) => table.map(([text]) => text))
  for (const token of texts.flatMap(tokenize)) t.strictSame(tokenize(token), [token], token)
})

t.test('plural and singular of one word are one token', async (t) => {
  for (const [one, many] of [
    ['game', 'games'],
    ['story', 'stories'],
    ['city', 'cities'],
    ['movie', 'movies'],
    ['cookie', 'cookies'],
    ['box', 'boxes'],
    ['class', 'classes'],
    ['day', 'days'],
    ['juego', 'juegos'],
    ['app', 'apps'],
    ['tracker', 'Trackers'],
  ])
    t.strictSame(tokenize(one ?? ''), tokenize(many ?? ''), `${one} and ${many}`)
})

t.test('a token begins its word, so that a prefix of the word can find it', async (t) => {
  for (const word of ['stories', 'movies', 'boxes', 'games', 'classes', 'city'])
    t.ok(word.startsWith(tokenize(word)[0]?.slice(0, -1) ?? '-'), word)
})

t.test('Latin text has the same words next to any other text', async (t) => {
  const letters = fc.integer({ min: 0x20, max: 0x24f }).map((code) => String.fromCharCode(code))
  // The kana at the end sends the whole text the long way.
  const same = (text: string) => t.strictSame(tokenize(`${text} あ`), [...tokenize(text), 'あ'], JSON.stringify(text))
  fc.assert(fc.property(fc.string({ unit: letters, maxLength: 20 }), same), { numRuns: 500 })
})

t.test('a long text is no work', async (t) => {
  t.equal(tokenize('word '.repeat(100_000)).length, 100_000)
  t.ok(tokenize('漢'.repeat(5000)).length > 0)
})
