import { at, mix } from '../random.js'

export type LifecycleStep =
  | { what: 'edit'; nth: number }
  | { what: 'feature'; spotlight: boolean }
  | { what: 'unfeature' }
  | { what: 'hide' | 'show' | 'remove'; reason?: string }

/**
 * What happens to a creation at a step beside plays and likes. A pure function of its number, so nothing has to be kept;
 * `attention` is the number of steps it may have.
 */
export function lifecycleStepAt(creation: number, step: number, attention: number, seed: number): LifecycleStep | undefined {
  const luck = mix(seed, 0xfa7e5, creation)
  return ending(luck, step, attention) ?? featuring(luck, step, attention) ?? editing(luck, step, attention)
}

/** About three in a hundred are hidden for a while, a third of these for ever; one in a hundred is removed. */
function ending(luck: number, step: number, attention: number): LifecycleStep | undefined {
  const sort = luck % 100
  if (sort > 3) return undefined
  const from = 2 + ((luck >>> 8) % (attention - 2))
  if (sort === 0) return step === from ? { what: 'remove', reason: at(REMOVE_REASONS, luck % REMOVE_REASONS.length) } : undefined
  if (step === from) return { what: 'hide', reason: at(HIDE_REASONS, (luck >>> 10) % HIDE_REASONS.length) }
  if (step === from + 2 && sort < 3) return luck & 0x400 ? { what: 'show', reason: 'Fixed and checked again' } : { what: 'show' }
  return undefined
}

/** Editors feature what got attention; half of it is unfeatured later. */
function featuring(luck: number, step: number, attention: number): LifecycleStep | undefined {
  if (attention < 16 || (luck >>> 4) % 100 >= 18) return undefined
  const chosen = Math.floor(attention / 6)
  if (step === chosen) return { what: 'feature', spotlight: (luck >>> 12) % 5 === 0 }
  return step === 2 * chosen && (luck >>> 16) % 2 === 0 ? { what: 'unfeature' } : undefined
}

/** A third of all things are edited once, a ninth twice. */
function editing(luck: number, step: number, attention: number): LifecycleStep | undefined {
  const first = 1 + ((luck >>> 20) % (attention - 1))
  if ((luck >>> 5) % 3 === 0 && step === first) return { what: 'edit', nth: 0 }
  return (luck >>> 5) % 9 === 0 && step === first + 3 ? { what: 'edit', nth: 1 } : undefined
}

const HIDE_REASONS = ['Hidden by its maker', 'Being repaired', 'Under review', 'Paused for the holidays']
const REMOVE_REASONS = ['Deleted by its maker', 'Against the community rules', 'Copyright claim']
