/** German compounds, taken apart by a fixed list: what a creation is found by must not depend on what else the log holds. */
import { z } from 'zod'
import { readJson } from '../../../src/lib/package-root.js'
import { words } from '../../../src/lib/tokenize.js'

/** Lines of words, separated by spaces. */
const Lines = z.array(z.string()).transform((lines) => words(lines.join(' ')))

/** With their stems, which stand in the middle of compounds: "Geschichtsbuch". */
const PARTS: ReadonlySet<string> = new Set(readJson('content/search/compound-parts.json', Lines))

/** What German puts between the parts. */
const JOINTS = ['', 's', 'n', 'en', 'e', 'es', 'er']

const MIN_LENGTH = 7
const MAX_LENGTH = 40

/** The parts of a compound that is made of known ones alone; none of another word. */
export function compoundParts(word: string): readonly string[] {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || PARTS.has(word)) return []
  return split(word, new Set()) ?? []
}

const MIN_END = 5

/** The longest known beginning and end of a word that is not made of known parts alone: "Vogelgezwitscher", "Mondkalender". */
export function compoundEnds(word: string): readonly string[] {
  if (word.length < 2 * MIN_END || word.length > MAX_LENGTH || !/^[a-z]+$/.test(word)) return []
  const found: string[] = []
  for (let length = word.length - MIN_END; length >= MIN_END; length -= 1) {
    if (found.length === 0 && PARTS.has(word.slice(0, length))) found.push(word.slice(0, length))
  }
  for (let from = MIN_END; from <= word.length - MIN_END; from += 1) {
    if (PARTS.has(word.slice(from))) return [...found, word.slice(from)]
  }
  return found
}

/** The longest last part wins: it says what the whole is. `hopeless` are beginnings that cannot be split. */
function split(rest: string, hopeless: Set<string>): string[] | null {
  if (PARTS.has(rest)) return [rest]
  if (hopeless.has(rest)) return null
  for (let from = 3; from <= rest.length - 3; from += 1) {
    const part = rest.slice(from)
    if (!PARTS.has(part)) continue
    for (const joint of JOINTS) {
      const before = rest.slice(0, from)
      if (!before.endsWith(joint)) continue
      const others = split(before.slice(0, before.length - joint.length), hopeless)
      if (others !== null) return [...others, part]
    }
  }
  hopeless.add(rest)
  return null
}
