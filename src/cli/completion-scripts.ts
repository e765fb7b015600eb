/** What each shell needs to complete `vitrine`. After these words it offers files. */

import { helpOf, VARIABLE_NAMES } from '../compose/config.js'
import { type Command, flagOf } from './command-line.js'
import { ownFlags } from './help.js'

const configurationFlags = VARIABLE_NAMES.map((name) => `--${flagOf(name)}`)

const flagsOf = (command: Command): string[] => [...Object.keys(ownFlags(command)).map((flag) => `--${flag}`), '--help']

const wordsOf = ({ words }: Command, projections: readonly string[]): string => (words?.(projections) ?? []).join(' ')

const cases = (commands: readonly Command[], projections: readonly string[], indent: string): string =>
  commands
    .map((command) => `${indent}${command.name}) words='${wordsOf(command, projections)}' flags='${flagsOf(command).join(' ')}' ;;`)
    .join('\n')

const namesOf = (commands: readonly Command[]): string => [...commands.map(({ name }) => name), 'help'].join(' ')

export const bashCompletion = (commands: readonly Command[], projections: readonly string[]): string => `_vitrine() {
  local current=\${COMP_WORDS[COMP_CWORD]} words= flags=
  if ((COMP_CWORD == 1)); then
    words='${namesOf(commands)}' flags='--help --version'
  else
    case \${COMP_WORDS[1]} in
${cases(commands, projections, '      ')}
      help) words='${namesOf(commands)}' ;;
    esac
    flags+=' ${configurationFlags.join(' ')}'
  fi
  [[ $current == -* ]] && words=$flags
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _vitrine vitrine`

export const zshCompletion = (commands: readonly Command[], projections: readonly string[]): string => `#compdef vitrine
_vitrine() {
  local words_ flags_
  if ((CURRENT == 2)); then
    words_='${namesOf(commands)}' flags_='--help --version'
  else
    case \${words[2]} in
${cases(commands, projections, '      ').replaceAll(/\b(words|flags)=/g, '$1_=')}
      help) words_='${namesOf(commands)}' ;;
    esac
    flags_+=' ${configurationFlags.join(' ')}'
  fi
  if [[ \${words[CURRENT]} == -* ]]; then
    compadd -- \${=flags_}
  else
    [[ -n $words_ ]] && compadd -- \${=words_}
    ((CURRENT > 2)) && _files
  fi
}
# The file is either sourced, or found by the shell in its fpath.
if [[ $funcstack[1] == _vitrine ]]; then _vitrine "$@"; else compdef _vitrine vitrine; fi`

export const fishCompletion = (commands: readonly Command[], projections: readonly string[]): string =>
  [
    ...commands.map(({ name, summary }) => `complete -c vitrine -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`),
    ...commands.flatMap((command) => {
      const after = `complete -c vitrine -n '__fish_seen_subcommand_from ${command.name}'`
      const flags = Object.entries(ownFlags(command)).map(
        ([flag, { type, help }]) => `${after} -l ${flag}${type === 'string' ? ' -r' : ''} -d ${quoted(help)}`,
      )
      const words = wordsOf(command, projections)
      return words === '' ? flags : [...flags, `${after} -a ${quoted(words)}`]
    }),
    ...VARIABLE_NAMES.map((name) => `complete -c vitrine -n 'not __fish_use_subcommand' -l ${flagOf(name)} -r -d ${quoted(helpOf(name))}`),
  ].join('\n')

/** In fish only these two have a meaning between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
