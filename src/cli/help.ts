import { defaultOf, helpOf, VARIABLE_NAMES, type VariableName } from '../compose/config.js'
import { type Command, type Flag, flagOf } from './command-line.js'
import { alignColumns } from './table.js'

/** What "vitrine help" prints. */
export function usage(all: readonly Command[]): string[] {
  const commands = indented(all.map(({ name, summary }) => [name, summary]))
  const variables = indented(VARIABLE_NAMES.map((name) => [name, `--${flagOf(name)}`, describeVariable(name)]))
  const heads = ['Usage: vitrine COMMAND [--flags]', '', 'Commands:']
  return [...heads, ...commands, '', 'Configuration (environment or flag):', ...variables]
}

function describeVariable(name: VariableName): string {
  const preset = defaultOf(name)
  return preset === null ? helpOf(name) : `${helpOf(name)} (${preset})`
}

const indented = (rows: readonly (readonly string[])[]): string[] => alignColumns(rows, ' ').map((line) => `  ${line}`)

/** The flags of a command that are no configuration. */
export const ownFlags = ({ flags = {} }: Command): Record<string, Flag> => ({
  ...flags,
  json: { type: 'boolean', help: 'print JSON for programs' },
})

/** What "vitrine COMMAND --help" prints. */
export function commandUsage(command: Command, projections: readonly string[]): string[] {
  const { name, usage: rest = '', summary, example } = command
  const flags = Object.entries(ownFlags(command)).map(
    ([flag, { type, help }]) => `  ${`--${flag}${type === 'string' ? ' …' : ''}`.padEnd(20)} ${help}`,
  )
  return [
    ...[`Usage: vitrine ${name} ${rest}`.trim(), '', summary, '', ...flags, ''],
    ...(/\bNAME\b/.test(rest) || 'projection' in (command.flags ?? {}) ? [`Projections: ${projections.join(', ')}`] : []),
    ...[`Example: vitrine ${example}`, '', 'and every configuration flag: see "vitrine help".'],
  ]
}

/** What the usage line of a command says of the words after its name. */

/** Words that may follow: those in small letters, and for NAME the projections. */
export function usageWords({ usage = '' }: Command, projections: readonly string[]): string[] {
  const words = usage.split(/[\s|[\]]+/)
  return [...new Set(words.flatMap((word) => (word === 'NAME' ? projections : /^[a-z]+$/.test(word) ? [word] : [])))]
}

/** The first word that is too many: behind "list" of "list [NAME] | show NAME AGGREGATE" the third one. */
export function surplusWord({ usage = '' }: Command, given: readonly string[]): string | undefined {
  if (usage.endsWith('…')) return undefined
  const forms = usage.split(' | ').map((form) => form.split(' ').filter((word) => word !== ''))
  const meant = forms.filter(([word]) => word === given[0])
  const longest = Math.max(
    ...(meant.length === 0 ? forms : meant).map((form) => [...form, '--'].findIndex((word) => word.startsWith('--'))),
  )
  return given[longest]
}
