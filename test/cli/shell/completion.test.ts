/** Scripts for shells, run by those shells that are installed. Of the others only the words are checked. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folderWith } from '../../adapters/folder.js'
import { vitrine } from '../../harness/command.js'

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).error === undefined

/** What a command line, which ends where the cursor is, can be completed to. */
type Complete = (...line: string[]) => string[]

/** How each shell is asked for completions. */
const SHELLS: Record<string, (script: string) => Complete> = {
  bash:
    (script) =>
    (...line) =>
      run('bash', '--norc', '-c', `source ${script}; ${ask(line)}`),
  zsh:
    (script) =>
    (...line) =>
      // Its line editor, which is not there, registers completions and drops what does not begin like the word.
      run('zsh', '-f', '-c', `compdef() { }; source ${script}; emulate sh; ${ask(line)}`).filter((found) =>
        found.startsWith(line.at(-1) ?? ''),
      ),
  fish:
    (script) =>
    (...line) =>
      run('fish', '--no-config', '-c', `source ${script}; complete -C '${line.join(' ')}'`).map((found) => found.split('\t')[0] ?? ''),
}

const ask = (line: readonly string[]): string =>
  `COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length - 1}; _vitrine; printf '%s\\n' "\${COMPREPLY[@]}"`

function run(shell: string, ...args: string[]): string[] {
  const { stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8' })
  if (stderr !== '') throw new Error(stderr)
  return stdout.split('\n').filter((line) => line !== '')
}

for (const [shell, completer] of Object.entries(SHELLS)) {
  t.test(`${shell} completes commands, flags and projections`, async (t) => {
    const { code, stdout } = await vitrine(['completion', shell])
    t.equal(code, 0)
    for (const word of ['rebuild', 'creators', 'api-port', 'feed', 'zsh']) t.match(stdout, new RegExp(`\\b${word}\\b`))
    if (!isInstalled(shell)) return t.comment(`${shell} is not installed: its script was not run`)
    const script = join(folderWith(), 'vitrine')
    writeFileSync(script, stdout)
    const complete = completer(script)
    t.strictSame(complete('vitrine', 're').sort(), ['rebuild', 'redact', 'replay', 'restore'])
    t.strictSame(complete('vitrine', 'seed', '--crea').sort(), ['--creations', '--creators'])
    t.strictSame(complete('vitrine', 'serve', '--api-p'), ['--api-port'], 'the configuration, too')
    t.strictSame(complete('vitrine', 'rebuild', 'fe'), ['feed'])
    t.strictSame(complete('vitrine', 'completion', 'z'), ['zsh'])
    t.strictSame(complete('vitrine', 'dead-letters', 'disc').sort(), ['discard', 'discarded'])
  })
}

t.test('a shell that is not known is one line', async (t) => {
  for (const args of [[], ['tcsh']])
    t.match(await vitrine(['completion', ...args]), { code: 2, stderr: 'vitrine completion: name one shell: bash, zsh, fish\n' })
})
