import { type Command, CommandError } from '../command-line.js'
import { bashCompletion, fishCompletion, zshCompletion } from '../completion-scripts.js'

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
