import { mix } from '../random.js'

/** What every part of the demo needs to know. */
export interface DemoContext {
  seed: number
  creators: number
  creations: number
  ids: Ids
  coverUrl(key: string): string
  avatarUrl(key: string): string
}

export function createContext(options: { creators: number; creations: number; seed: number; webUrl: string }): DemoContext {
  const base = options.webUrl.replace(/\/+$/, '')
  const seed = mix(options.seed, Math.floor(options.seed / 4_294_967_296))
  return {
    seed,
    creators: options.creators,
    creations: options.creations,
    ids: idsOf(seed),
    coverUrl: (key) => `${base}/covers/${key}.svg`,
    avatarUrl: (key) => `${base}/avatars/${key}.svg`,
  }
}

export interface Ids {
  creation(nth: number): string
  creator(nth: number): string
}

/**
 * Ids look opaque but are a bijection of the number (multiplying by an odd number and XOR are reversible), so they never
 * collide and need not be remembered. The seed takes part: two demos can share a log.
 */
export function idsOf(seed: number): Ids {
  const creations = mix(seed, 0xc0)
  const creators = mix(seed, 0xc1)
  return {
    creation: (nth) => `c_${sixLetters((Math.imul(nth, 0x9e3779b1) ^ creations) & LOW_31_BITS)}`,
    creator: (nth) => `u_${sixLetters((Math.imul(nth, 0x85ebca6b) ^ creators) & LOW_31_BITS)}`,
  }
}

/** 2^31 is just below 36^6. */
const LOW_31_BITS = 0x7fffffff
const SQUARE = 36 * 36
const TWO_LETTERS = Array.from({ length: SQUARE }, (_, value) => value.toString(36).padStart(2, '0'))

/** `toString(36)` in pairs of letters, which is several times faster; every event writes two or three ids. */
function sixLetters(value: number): string {
  const upper = Math.floor(value / SQUARE)
  return `${TWO_LETTERS[Math.floor(upper / SQUARE)]}${TWO_LETTERS[upper % SQUARE]}${TWO_LETTERS[value % SQUARE]}`
}
