import { helpOf, VARIABLE_NAMES } from '../../compose/config.js'
import { type Command, CommandError, flagOf } from '../command-line.js'
import { ownFlags, usageWords } from '../help.js'

/** What each shell needs to complete `vitrine`. After these words it offers files. */

const configurationFlags = VARIABLE_NAMES.map((name) => `--${flagOf(name)}`)

const flagsOf = (command: Command): string[] => [...Object.keys(ownFlags(command)).map((flag) => `--${flag}`), '--help']

const wordsOf = (command: Command, projections: readonly string[]): string => usageWords(command, projections).join(' ')

const namesOf = (commands: readonly Command[]): string => [...commands.map(({ name }) => name), 'help'].join(' ')

/** Not `words`, which has a meaning in zsh. */
const bashCompletion = (commands: readonly Command[], projections: readonly string[]): string => `_vitrine() {
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
const zshCompletion = (commands: readonly Command[], projections: readonly string[]): string => `#compdef vitrine
autoload -U +X bashcompinit && bashcompinit
${bashCompletion(commands, projections)}
if [[ $funcstack[1] == _vitrine ]]; then _bash_complete -o default -F _vitrine; fi`

const fishCompletion = (commands: readonly Command[], projections: readonly string[]): string =>
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

const SCRIPTS = new Map(Object.entries({ bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }))

/** Its scripts hold all commands, so that a shell need not start the program for every Tab. */
export const completionOf = (loadCommands: () => Promise<readonly Command[]>): Command => ({
  name: 'completion',
  summary: 'Print a script that completes commands, flags and projections in your shell.',
  usage: [...SCRIPTS.keys()].join('|'),
  models: 'declared',
  example: 'completion bash > ~/.local/share/bash-completion/completions/vitrine',
  async run({ models, positionals: [shell = ''], io }) {
    const script = SCRIPTS.get(shell)
    if (script === undefined) throw new CommandError(`name one shell: ${[...SCRIPTS.keys()].join(', ')}`)
    io.print(script(await loadCommands(), models.names).split('\n'))
  },
})
