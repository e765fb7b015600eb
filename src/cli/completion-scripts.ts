/** What each shell needs to complete `vitrine`. After these words it offers files. */

import { helpOf, VARIABLE_NAMES } from '../compose/config.js'
import { type Command, flagOf } from './command-line.js'
import { ownFlags } from './help.js'
import { usageWords } from './usage.js'

const configurationFlags = VARIABLE_NAMES.map((name) => `--${flagOf(name)}`)

const flagsOf = (command: Command): string[] => [...Object.keys(ownFlags(command)).map((flag) => `--${flag}`), '--help']

const wordsOf = (command: Command, projections: readonly string[]): string => usageWords(command, projections).join(' ')

const namesOf = (commands: readonly Command[]): string => [...commands.map(({ name }) => name), 'help'].join(' ')

/** Not `words`, which has a meaning in zsh. */
export const bashCompletion = (commands: readonly Command[], projections: readonly string[]): string => `_vitrine() {
  local current=\${COMP_WORDS[COMP_CWORD]} offered= flags=
  if ((COMP_CWORD == 1)); then
    offered='${namesOf(commands)}' flags='--help --version'
  else
    case \${COMP_WORDS[1]} in
${commands.map((command) => `      ${command.name}) offered='${wordsOf(command, projections)}' flags='${flagsOf(command).join(' ')}' ;;`).join('\n')}
      help) offered='${namesOf(commands)}' ;;
    esac
    flags+=' ${configurationFlags.join(' ')}'
  fi
  [[ $current == -* ]] && offered=$flags
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o default -F _vitrine vitrine`

/** The file is either sourced, or found by the shell in its fpath. Then its first call has to complete, too. */
export const zshCompletion = (commands: readonly Command[], projections: readonly string[]): string => `#compdef vitrine
autoload -U +X bashcompinit && bashcompinit
${bashCompletion(commands, projections)}
if [[ $funcstack[1] == _vitrine ]]; then _bash_complete -o default -F _vitrine; fi`

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
