import { mix } from './dice.js'

/**
 * Ids look opaque but are a bijection of the number (multiplying by an odd number and XOR are reversible), so they never
 * collide and need not be remembered. The seed takes part: two demos can share a log.
 */
export interface Ids {
  creation(nth: number): string
  creator(nth: number): string
}

export function idsOf(seed: number): Ids {
  const creations = mix(seed, 0xc0)
  const creators = mix(seed, 0xc1)
  return {
    creation: (nth) => `c_${((Math.imul(nth, 0x9e3779b1) ^ creations) >>> 0).toString(36)}`,
    creator: (nth) => `u_${((Math.imul(nth, 0x85ebca6b) ^ creators) >>> 0).toString(36)}`,
  }
}
