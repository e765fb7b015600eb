/**
 * Tries a pattern on long texts that repeat what it begins with. `scslre` reasons about repetitions beside each other; this finds
 * those with something in between, such as `\[.*\]` on a text of brackets.
 */
import { type AST, parseRegExpLiteral } from '@eslint-community/regexpp'

const SHORT = 2000
const LONG = 20_000
/** Linear time is ten times as much, quadratic a hundred. */
const MAX_GROWTH = 30
/** Less cannot be told from noise. */
const MIN_MS = 10

/** A text on which the time of the pattern grows faster than the text; `null` if none was found. */
export function findSlowText(pattern: RegExp): string | null {
  for (const piece of piecesOf(parseRegExpLiteral(pattern).pattern)) {
    const time = (length: number) => leastMs(pattern, `${piece.repeat(Math.ceil(length / piece.length))}\u0001`)
    const long = time(LONG)
    if (long > MIN_MS && long > MAX_GROWTH * time(SHORT)) return piece
  }
  return null
}

function leastMs(pattern: RegExp, text: string): number {
  const times = [1, 2, 3].map(() => {
    const began = performance.now()
    text.search(pattern)
    return performance.now() - began
  })
  return Math.min(...times)
}

/** Shortest texts for every beginning of every alternative, with and without what is optional. */
function piecesOf({ alternatives }: { alternatives: readonly AST.Alternative[] }): Set<string> {
  const pieces = new Set<string>()
  for (const { elements } of alternatives) {
    for (const [n, element] of elements.entries()) {
      for (const least of [0, 1])
        pieces.add(
          elements
            .slice(0, n + 1)
            .map((before) => sampleOf(before, least))
            .join(''),
        )
      pieces.add(sampleOf(element, 1))
      const inner = element.type === 'Quantifier' ? element.element : element
      if ('alternatives' in inner) for (const piece of piecesOf(inner)) pieces.add(piece)
    }
  }
  pieces.delete('')
  return pieces
}

/** A text that matches an element. `least`: how often something optional occurs. */
function sampleOf(element: AST.Element, least: number): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value)
    case 'CharacterSet':
    case 'CharacterClass':
      return sampleOfSet(element.raw)
    case 'Group':
    case 'CapturingGroup':
      return (element.alternatives[0]?.elements ?? []).map((inner) => sampleOf(inner, least)).join('')
    case 'Quantifier':
      return sampleOf(element.element, least).repeat(Math.max(element.min, Math.min(least, element.max)))
    default:
      return ''
  }
}

const SAMPLES = ['a', ' ', '0', '-', '/', '.', '"', 'é', '字', '\n', ...Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n))]

function sampleOfSet(raw: string): string {
  const set = new RegExp(`^${raw}$`, 'su')
  return SAMPLES.find((sample) => set.test(sample)) ?? ''
}
