/** Runs a command. Its file is loaded when it is called, so that no command waits for the imports of the others. */

import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { type Config, ConfigError, misspeltVariables, readConfig } from '../compose/config.js'
import { requireAccepted } from '../compose/models/accepted-models.js'
import { loadModels } from '../compose/models/load-models.js'
import { type ModelSet, modelSet } from '../compose/models/model-set.js'
import { withDocuments } from '../compose/stores.js'
import { didYouMean, nearestWord } from '../lib/nearest-word.js'
import { readJson } from '../lib/package-root.js'
import { type Command, CommandError, isUserError, parseArguments } from './command-line.js'
import { commandUsage, surplusWord, usage } from './help.js'
import type { Io } from './io.js'
import { hasModels, requireData } from './require-data.js'

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.js')).serve,
  status: async () => (await import('./commands/status.js')).status,
  health: async () => (await import('./commands/health.js')).health,
  seed: async () => (await import('./commands/seed.js')).seed,
  publish: async () => (await import('./commands/publish.js')).publish,
  copy: async () => (await import('./commands/copy.js')).copy,
  verify: async () => (await import('./commands/verify.js')).verify,
  replay: async () => (await import('./commands/replay.js')).replay,
  explain: async () => (await import('./commands/explain.js')).explain,
  rebuild: async () => (await import('./commands/rebuild.js')).rebuild,
  generations: async () => (await import('./commands/generations.js')).generations,
  'dead-letters': async () => (await import('./commands/dead-letters.js')).deadLetters,
  redact: async () => (await import('./commands/redact.js')).redact,
  backup: async () => (await import('./commands/backup-and-restore.js')).backup,
  restore: async () => (await import('./commands/backup-and-restore.js')).restore,
  openapi: async () => (await import('./commands/openapi-and-asyncapi.js')).openapi,
  asyncapi: async () => (await import('./commands/openapi-and-asyncapi.js')).asyncapi,
  client: async () => (await import('./commands/client.js')).client,
  models: async () => (await import('./commands/models.js')).models,
  doctor: async () => (await import('./commands/doctor.js')).doctor,
  completion: async () => (await import('./commands/completion.js')).completionOf(loadAll),
}

/** Runs a command line; settles with the exit code. `envFile` adds to the environment. */
export async function runCommand(argv: string[], environment: NodeJS.ProcessEnv, io: Io, envFile?: string): Promise<number> {
  const [first, ...others] = argv
  if (first === '--version' || first === '-v') {
    io.print(version())
    return 0
  }
  const asksForHelp = first === 'help' || first === '--help' || first === '-h'
  const [name, ...rest] = asksForHelp ? [...others, '--help'] : argv
  if (name === undefined || name === '--help') {
    io.print(usage(await loadAll()))
    return name === undefined ? 2 : 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? await COMMANDS[name]?.() : undefined
  if (command === undefined) {
    io.warn(`vitrine: there is no command "${name}"${didYouMean(nearestWord(name, Object.keys(COMMANDS)))}. "vitrine help" lists them.`)
    return 2
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    io.print(commandUsage(command, await projectionNames(environment, envFile)))
    return 0
  }
  try {
    const variables = variablesOf(environment, envFile)
    for (const { name: misspelt, meant } of misspeltVariables(variables))
      io.warn(`vitrine ${name}: there is no variable ${misspelt}${didYouMean(meant)}`)
    const parsed = parseArguments(command, rest, variables, io)
    const surplus = surplusWord(command, parsed.positionals)
    if (surplus !== undefined) throw new CommandError(`"${surplus}" is one word too many.`)
    if (command.needs !== undefined) requireData(parsed.config, command.needs)
    return (await command.run({ ...parsed, models: await modelsFor(command, parsed.config) })) ?? 0
  } catch (error) {
    if (!isUserError(error)) throw error
    io.warn(`vitrine ${name}: ${error.message}`)
    return 2
  }
}

const variablesOf = (environment: NodeJS.ProcessEnv, envFile: string | undefined): NodeJS.ProcessEnv =>
  envFile === undefined ? environment : withEnvFile(environment, envFile)

async function modelsFor({ models }: Command, config: Config): Promise<ModelSet> {
  if (models === 'none') return modelSet()
  const set = await loadModels(config)
  if (models === 'declared' || !hasModels(config)) return set
  await withDocuments(config, (documents) => requireAccepted(documents, set))
  return set
}

/** For help, which must work with a configuration that does not. */
async function projectionNames(environment: NodeJS.ProcessEnv, envFile: string | undefined): Promise<readonly string[]> {
  try {
    return (await loadModels(readConfig(variablesOf(environment, envFile)))).names
  } catch {
    return modelSet().names
  }
}

const loadAll = (): Promise<Command[]> => Promise.all(Object.values(COMMANDS).map((load) => load()))

const Package = z.object({ version: z.string() })

const version = (): string => readJson('package.json', Package).version

/** The environment, and below it what a file such as `.env` says. A missing file says nothing. */
function withEnvFile(environment: NodeJS.ProcessEnv, path: string): NodeJS.ProcessEnv {
  const inFile = Object.entries(parseEnv(readIfThere(path)))
  // A value of the environment also wins over a file that `.env` names for it.
  const isOverridden = (name: string) => name.endsWith('_FILE') && environment[name.slice(0, -'_FILE'.length)] !== undefined
  return { ...Object.fromEntries(inFile.filter(([name]) => !isOverridden(name))), ...environment }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Python keeps virtual environments in a folder of this name.
    if (code === 'ENOENT' || code === 'EISDIR') return ''
    throw new ConfigError(`cannot read ${path} (${code})`)
  }
}
