import t from 'tap'
import { IDEA_COUNT, idea } from '../../demo/generator/ideas.js'
import { newHandle, person } from '../../demo/generator/people.js'
import { chooseWording, description, title } from '../../demo/generator/wording.js'
import { permute, SeededRandom } from '../../demo/random.js'
import { LANGUAGES } from '../../demo/words/index.js'

t.test('every idea has a title of its own in every language', async (t) => {
  for (const language of LANGUAGES) {
    const owners = new Map<string, number>()
    const odd: string[] = []
    for (let nth = 0; nth < IDEA_COUNT; nth++) {
      const told = chooseWording({ ...idea(nth, 1), brand: null }, null, new SeededRandom(nth))
      const words = title(told, language)
      if (owners.has(words)) odd.push(words)
      owners.set(words, nth)
      if (words.length > 80 || /[{}~|=]/.test(words + description(told, language))) odd.push(words)
    }
    t.same(odd, [], language)
  }
  t.ok(IDEA_COUNT > 10_000, `${IDEA_COUNT} ideas`)
})

t.test('a further lap puts another name in front', async (t) => {
  const english = (nth: number) => title({ idea: idea(nth, 1), twist: null, more: [] }, 'en')
  const laps = Array.from({ length: 50 }, (_, lap) => english(123 + lap * IDEA_COUNT))
  t.equal(new Set(laps).size, 50)
})

t.test('people have handles of their own, old and new', async (t) => {
  const handles = new Set<string>()
  for (let nth = 0; nth < 30_000; nth++) handles.add(person(nth, 1).handle).add(newHandle(nth, 1))
  t.equal(handles.size, 60_000)
  t.same(
    [...handles].filter((handle) => !/^[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(handle)),
    [],
  )
})

t.test('German compounds and Spanish contractions', async (t) => {
  const found = new Set<string>()
  for (let nth = 0; nth < IDEA_COUNT; nth++) {
    const plain = { idea: { ...idea(nth, 1), brand: null }, twist: null, more: [] }
    for (const language of LANGUAGES) found.add(title(plain, language))
  }
  for (const expected of ['Sourdough Diary', 'Diario de masa madre', 'Sauerteig-Tagebuch', 'サワードウ日記'])
    t.ok(found.has(expected), expected)
  for (const expected of ['Geschichtsquiz', 'Alles über Nachtzüge', 'La vida secreta del musgo', 'Tide Clock for Cádiz'])
    t.ok(found.has(expected), expected)
})

t.test('shuffling loses and repeats nothing', async (t) => {
  for (const size of [1, 2, 3, 10, 64, 65, 1_000]) {
    const deck = new Set(Array.from({ length: size }, (_, card) => permute(card, size, 9)))
    t.equal(deck.size, size)
    t.ok(Math.max(...deck) < size)
  }
})
