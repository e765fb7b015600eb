/** What the usage line of a command says of the words after its name. */
import type { Command } from './command-line.js'

/** Words that may follow: those in small letters, and for NAME the projections. */
export function usageWords({ usage = '' }: Command, projections: readonly string[]): string[] {
  const words = usage.split(/[\s|[\]]+/)
  return [...new Set(words.flatMap((word) => (word === 'NAME' ? projections : /^[a-z]+$/.test(word) ? [word] : [])))]
}

/** The first word that is too many: behind "list" of "list [NAME] | show NAME AGGREGATE" the third one. */
export function surplusWord({ usage = '' }: Command, given: readonly string[]): string | undefined {
  const forms = usage.split(' | ').map((form) => form.split(' ').filter((word) => word !== ''))
  const meant = forms.filter(([word]) => word === given[0])
  const longest = Math.max(
    ...(meant.length === 0 ? forms : meant).map((form) => [...form, '--'].findIndex((word) => word.startsWith('--'))),
  )
  return given[longest]
}
