import { at, mix, permute, SeededRandom } from '../random.js'
import { BIOGRAPHIES, CULTURES, type Culture, HANDLE_WORDS, type Language, type Name } from '../words/index.js'

export interface Person {
  handle: string
  displayName: string
  bio: string
  links: { label: string; url: string }[]
}

/** The `nth` person of a demo: the same number and seed always give the same person. */
export function person(nth: number, seed: number): Person {
  const { culture, given, family, handle } = nameOf(nth, seed)
  const dice = new SeededRandom(mix(seed, 0x9e04, nth))
  const names = culture.familyFirst ? [family.shown, given.shown] : [given.shown, family.shown]
  // Names in Hangul are written without a space; Japanese ones usually get one on screens.
  const displayName = culture.familyFirst && family.shown.length === 1 ? names.join('') : names.join(' ')
  return { handle, displayName, bio: biography(dice, culture), links: links(dice, handle) }
}

/** The language a person writes in. */
export const languageOf = (nth: number, seed: number): Language => nameOf(nth, seed).culture.language

/** Another text about the same person. */
export function newBiography(nth: number, seed: number): string {
  return biography(new SeededRandom(mix(seed, 0xb10, nth)), nameOf(nth, seed).culture)
}

/** What a person is called after a change of handle: never equal to a first handle, which has no greeting. */
export function newHandle(nth: number, seed: number): string {
  return `${at(GREETINGS, mix(seed, 0x6ee7, nth) % GREETINGS.length)}-${nameOf(nth, seed).handle}`
}

interface NamedPerson {
  culture: Culture
  given: Name
  family: Name
  handle: string
}

/**
 * Every style of handle is a separate space that is walked in shuffled order, each entry once, so handles are unique
 * without a set of those taken; digits come only after a whole space is used up.
 */
interface HandleStyle {
  size: number
  make(entry: number, spare: SeededRandom): NamedPerson
}

interface Pair {
  culture: Culture
  given: Name
  family: Name
}

const { creatures: CREATURES, doings: DOINGS, greetings: GREETINGS, houses: HOUSES, moods: MOODS, studios: STUDIOS } = HANDLE_WORDS

const PAIRS: Pair[] = CULTURES.flatMap((culture) =>
  culture.given.flatMap((given) => culture.family.map((family) => ({ culture, given, family }))),
)
const GIVEN = CULTURES.flatMap((culture) => culture.given.map((given) => ({ culture, given })))
const FAMILIES = CULTURES.flatMap((culture) => culture.family.map((family) => ({ culture, family })))

const pairs = (join: string): HandleStyle => ({
  size: PAIRS.length,
  make: (entry) => {
    const pair = at(PAIRS, entry)
    return { ...pair, handle: `${pair.given.latin}${join}${pair.family.latin}` }
  },
})

const withGiven = (words: readonly string[], join: (given: string, word: string) => string): HandleStyle => ({
  size: GIVEN.length * words.length,
  make: (entry, spare) => {
    const { culture, given } = at(GIVEN, entry % GIVEN.length)
    return { culture, given, family: spare.pick(culture.family), handle: join(given.latin, at(words, Math.floor(entry / GIVEN.length))) }
  },
})

const houses: HandleStyle = {
  size: FAMILIES.length * HOUSES.length,
  make: (entry, spare) => {
    const { culture, family } = at(FAMILIES, entry % FAMILIES.length)
    return {
      culture,
      family,
      given: spare.pick(culture.given),
      handle: `${family.latin}-${at(HOUSES, Math.floor(entry / FAMILIES.length))}`,
    }
  },
}

const creatures: HandleStyle = {
  size: MOODS.length * CREATURES.length,
  make: (entry, spare) => ({
    ...spare.pick(PAIRS),
    handle: `${at(MOODS, entry % MOODS.length)}-${at(CREATURES, Math.floor(entry / MOODS.length))}`,
  }),
}

const doings = withGiven(DOINGS, (given, word) => `${given}-${word}`)
const studios = withGiven(STUDIOS, (given, word) => `${word}-${given}`)
const hyphenated = pairs('-')

/** Eight newcomers take these styles in turn. */
const HANDLE_STYLES: readonly HandleStyle[] = [hyphenated, doings, pairs(''), hyphenated, creatures, doings, houses, studios]

/** How many of the eight share the style, and how many of them come before. */
const TURNS = HANDLE_STYLES.map((style, turn) => ({
  style,
  sharing: HANDLE_STYLES.filter((other) => other === style).length,
  before: HANDLE_STYLES.slice(0, turn).filter((other) => other === style).length,
}))

function nameOf(nth: number, seed: number): NamedPerson {
  const { style, sharing, before } = at(TURNS, nth % TURNS.length)
  const draw = Math.floor(nth / TURNS.length) * sharing + before
  const entry = permute(draw % style.size, style.size, mix(seed, 0x57e1, HANDLE_STYLES.indexOf(style)))
  const found = style.make(entry, new SeededRandom(mix(seed, 0x5ba6, nth)))
  const lap = Math.floor(draw / style.size)
  return lap === 0 ? found : { ...found, handle: `${found.handle}-${lap + 1}` }
}

function biography(dice: SeededRandom, culture: Culture): string {
  const first = dice.pick(BIOGRAPHIES.firstHalves[culture.language]).replace('{city}', dice.pick(culture.cities))
  const second = dice.pick(BIOGRAPHIES.secondHalves[culture.language])
  const style = dice.below(10)
  if (style === 0) return ''
  if (style < 3) return first
  return culture.language === 'ja' ? `${first}${second}` : `${first} ${second}`
}

function links(dice: SeededRandom, handle: string): Person['links'] {
  const all = [
    { label: 'Website', url: `https://${handle}.example/` },
    { label: 'Photos', url: `https://photos.example/${handle}` },
    { label: 'Notes', url: `https://notes.example/@${handle}` },
  ]
  const from = dice.below(3)
  return all.slice(from, from + dice.below(3))
}
