import { createHash } from 'node:crypto'
import t from 'tap'
import { compoundParts } from '../../readmodels/feed/search/compounds.js'
import { deletionsOf, nearest } from '../../readmodels/feed/search/spelling.js'
import { formsIn, formsOf } from '../../readmodels/feed/search/stems.js'
import { withoutStopWords } from '../../readmodels/feed/search/stop-words.js'
import { Thesaurus, thesaurus } from '../../readmodels/feed/search/topics.js'
import { words } from '../../src/lib/tokenize.js'

const SAMPLES: readonly [language: string, text: string][] = [
  ['en', 'Baking bakes baked bread: running, jogging and hiking stories about puppies, lullabies and cities at 7 o’clock'],
  ['de', 'Häuser, Gärten und Geschichten: Hundetagebuch, Sauerteiguhr, Gutenachtgeschichten, Straßen, Übungen und Vögel'],
  ['es', 'Canciones para dormir, recetas corriendo, meditación, estrellas, señales y pequeños perros'],
  ['ja', '寝る前の物語とラーメンのタイマー、温泉めぐり、猫の体重を記録する'],
  ['fr', 'Des recettes pour les crêpes'],
]

t.test('the forms of words are those of the stored documents: a change needs a new version of the feed', async (t) => {
  const forms = SAMPLES.map(([language, text]) => words(text).map((word) => formsIn(language, word)))
  const digest = createHash('sha256').update(JSON.stringify(forms)).digest('hex').slice(0, 16)
  t.equal(digest, 'c049ea5ec6b531e1')
})

t.test('a word is found by its stems, in whichever language it is typed', async (t) => {
  const meet = (language: string, stored: string, typed: string) => formsOf(typed).some((form) => formsIn(language, stored).includes(form))
  for (const [language, stored, typed] of [
    ['en', 'baking', 'bake'],
    ['en', 'bakes', 'baked'],
    ['en', 'puppies', 'puppy'],
    ['de', 'hunde', 'hund'],
    ['de', 'hund', 'hunde'],
    ['es', 'corriendo', 'correr'],
    ['es', 'canciones', 'cancion'],
    ['ja', '猫', '猫'],
    ['fr', 'crepes', 'crepes'],
  ] as const)
    t.ok(meet(language, stored, typed), `${typed} finds ${stored}`)
  t.notOk(meet('en', 'crossing', 'croissant'))
  t.notOk(meet('es', 'playa', 'play'), 'a stem alone is no word of another language')
  t.notOk(meet('de', 'regen', 'regar'))
  t.ok(meet('es', 'flores', 'flor'))
  t.strictSame(formsIn('de', 'x'.repeat(200)), ['x'.repeat(200)], 'what is no word stays as it is')
})

t.test('German compounds are found by their parts', async (t) => {
  t.strictSame(compoundParts('hundetagebuch'), ['hund', 'tagebuch'])
  t.strictSame(compoundParts('sauerteiguhr'), ['sauerteig', 'uhr'])
  t.strictSame(compoundParts('wandertagebuch'), ['wander', 'tagebuch'], 'the longest last part')
  for (const whole of ['tagebuch', 'garten', 'xylophonqwert', '', 'uhr', 'e'.repeat(5000)])
    t.strictSame(compoundParts(whole), [], whole.slice(0, 20))
  t.ok(formsIn('de', 'hundetagebuch').includes('hund'))
  t.notOk(formsIn('en', 'hundetagebuch').includes('hund'), 'only in German texts')
})

t.test('small words are left out, in the language that is asked for or clearly written', async (t) => {
  const left = (text: string, locale: string) => withoutStopWords(words(text), locale)
  t.strictSame(left('is there something for baking bread', 'en'), ['baking', 'bread'])
  t.strictSame(left('etwas zum Einschlafen', 'en'), ['einschlafen'], 'German, whatever the locale')
  t.strictSame(left('algo para dormir', 'de-AT'), ['dormir'])
  t.strictSame(left('todo list', 'en'), ['todo', 'list'], 'one small word of another language is a word of this one')
  t.strictSame(left('the who', 'en'), ['the', 'who'], 'nothing else is left')
  t.strictSame(left('', 'en'), [])
})

t.test('misspellings have a deletion in common with what was meant', async (t) => {
  const share = (a: string, b: string) => [a, ...deletionsOf(a)].some((one) => [b, ...deletionsOf(b)].includes(one))
  for (const [typed, meant] of [
    ['sourdouh', 'sourdough'],
    ['sourrdough', 'sourdough'],
    ['sourduogh', 'sourdough'],
    ['sourdaugh', 'sourdough'],
  ] as const)
    t.ok(share(typed, meant), typed)
  t.strictSame(deletionsOf('cat'), [], 'too short')
  t.strictSame(deletionsOf('ラーメン屋さん'), [], 'characters are not letters')
  t.strictSame(deletionsOf('a'.repeat(500)), [], 'too long')
  const known = ['bread', 'bead', 'broad'].map((word, uses) => ({ word, uses }))
  t.strictSame(nearest('brad', known), ['broad', 'bead', 'bread'].slice(0, 3), 'equally near ones by their use')
  t.strictSame(nearest('breaad', known), ['bread'], 'only the nearest')
  t.strictSame(nearest('train', known), [])
  t.strictSame(nearest('meditaitoin', [{ word: 'meditation', uses: 1 }]), ['meditation'], 'a long word may have two mistakes')
})

t.test('the thesaurus holds together', async (t) => {
  const dog = { topic: 'dogs', words: { en: ['dog', 'puppy'], de: ['Hund'] }, broader: ['pets'], related: [] }
  const pets = { topic: 'pets', words: { en: ['pet', 'four-legged friend'] }, broader: [], related: [] }
  const small = new Thesaurus([dog, pets])
  const related = (word: string) => small.related(word).map(({ forms: [word], near }) => `${near ? '' : '~'}${word}`)
  t.strictSame(related('puppies'), ['dog', 'puppy', 'hund', '~pet'])
  t.strictSame(related('pets'), ['pet', '~dog', '~puppy', '~hund'], 'narrower topics are around it')
  t.strictSame(related('train'), [])
  t.strictSame(small.phrasesAmong(words('my four-legged friend')), [['four', 'legged', 'friend']])
  t.strictSame(related('four legged friend'), related('pet'))
  t.throws(() => new Thesaurus([dog]), { message: 'content/topics/: "dogs" names the topic "pets", which is none' })
  t.throws(() => new Thesaurus([pets, pets]), { message: 'content/topics/: two topics are called "pets"' })
  t.ok(
    thesaurus()
      .related('schlafen')
      .some(({ forms }) => forms.includes('bedtime')),
    'the one that comes with the service leads from German to English',
  )
})
