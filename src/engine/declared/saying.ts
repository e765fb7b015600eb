/** What an event says. */
import type { Change } from './definition.js'
import type { Layout, Layouts } from './layout.js'
import { type FieldSet, NONE } from './values.js'

export type Said<K extends string = string> = Change<K> | readonly Change<K>[] | null

const NOTHING: readonly Change[] = []

/** Models that are only stripped of their types may say nothing at all. */
export const changesIn = (said: Said | undefined): readonly Change[] =>
  said === null || said === undefined ? NOTHING : 'patch' in said ? [said] : said

export interface Effect {
  /** What it sets of its aggregate's state. */
  sets: FieldSet
  /** It may remove its aggregate: it says so, or it names an owner, who may be erased. */
  mayRemove: boolean
}

/** What changes do to the state of their aggregate. */
export function effectOf(changes: readonly Change[], layouts: Layouts, own: Layout): Effect {
  const effect: Effect = { sets: NONE, mayRemove: false }
  for (const { to, patch } of changes) {
    if (patch === 'removed') effect.mayRemove = true
    else if (layouts.of(to) === own)
      for (const field in patch) {
        const setter = patch[field] === undefined ? undefined : own.setters[field]
        if (setter === undefined) continue
        effect.sets |= setter.set
        effect.mayRemove ||= setter.owner
      }
  }
  return effect
}
