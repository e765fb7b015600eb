import { parseArgs } from 'node:util'
import { type Config, ConfigError, readConfig, VARIABLE_NAMES } from '../compose/config.js'
import { ModelsError } from '../compose/models/define-models.js'
import type { ModelSet } from '../compose/models/model-set.js'
import { didYouMean, nearestWord } from '../lib/nearest-word.js'
import { StorageError, StoreUnavailableError } from '../ports/document-store.js'
import { LogReplacedError, LogUnavailableError, LogUnfitError } from '../ports/event-log.js'
import type { Io } from './io.js'
import type { Needs } from './require-data.js'

export interface Flag {
  type: 'string' | 'boolean'
  help: string
}

export interface Arguments {
  config: Config
  /** All models of this installation. */
  models: ModelSet
  positionals: string[]
  flag(name: string): string | undefined
  has(name: string): boolean
  json: boolean
  /** Prints the data with `--json`, or else the text. */
  answer(data: unknown, text: string | readonly string[]): void
  io: Io
}

/** One command of the program. */
export interface Command {
  name: string
  summary: string
  /** What follows the name in the usage line, which also says what completion offers and how many words are too many. */
  usage?: string
  /** One that is often of use, without "vitrine". */
  example: string
  /** `declared`: also runs with models that this installation has not accepted, or checks that itself. `none`: does not load them. */
  models?: 'declared' | 'none'
  flags?: Record<string, Flag>
  /** Data that must already exist. */
  needs?: Needs
  /** Resolves to the exit code; undefined is 0. */
  run(args: Arguments): Promise<number | undefined>
}

/** Wrong usage, or something the command cannot do: one line for the user, no stack. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/** For `catch`: an expected error of one of these types becomes one line for the user. */
export const asCommandError =
  (...types: readonly (abstract new (...parameters: never[]) => Error)[]) =>
  (error: unknown): never => {
    throw error instanceof Error && types.some((type) => error instanceof type) ? new CommandError(error.message) : error
  }

/** Every variable of the configuration is also a flag: `API_PORT` is `--api-port`. */
export const flagOf = (variable: string): string => variable.toLowerCase().replaceAll('_', '-')

/** All but the models, which take a moment to load. */
export function parseArguments(command: Command, argv: string[], environment: NodeJS.ProcessEnv, io: Io): Omit<Arguments, 'models'> {
  const own = Object.entries(command.flags ?? {}).map(([name, { type }]) => [name, { type }] as const)
  const variables = VARIABLE_NAMES.map((name) => [flagOf(name), { type: 'string' as const }] as const)
  const options = { ...Object.fromEntries([...variables, ...own]), json: { type: 'boolean' as const } }
  const { values, positionals } = parse(command.name, argv, options)
  const text = (name: string): string | undefined => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  // A flag also overrides a file that the environment names.
  const overrides = VARIABLE_NAMES.flatMap((name) => {
    const value = text(flagOf(name))
    return value === undefined ? [] : [[name, value] as const, [`${name}_FILE`, undefined] as const]
  })
  return {
    config: readConfig({ ...environment, ...Object.fromEntries(overrides) }),
    positionals,
    flag: text,
    has: (name) => values[name] === true,
    json: values.json === true,
    answer: (data, text) => io.print(values.json === true ? JSON.stringify(data) : text),
    io,
  }
}

function parse(command: string, argv: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args: argv, options, allowPositionals: true, strict: true })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const [unknown, flag = ''] = /^Unknown option '([^']*)'/.exec(error.message) ?? []
    // Node explains some mistakes over several lines.
    if (unknown === undefined) throw new CommandError(error.message.replaceAll('\n', ' '))
    const meant = nearestWord(
      flag,
      Object.keys(options).map((name) => `--${name}`),
    )
    throw new CommandError(`${unknown}${didYouMean(meant)}: "vitrine ${command} --help" lists them`)
  }
}

export function wholeNumber(args: Arguments, name: string, fallback: number): number {
  const value = args.flag(name)
  if (value === undefined) return fallback
  if (!/^\d{1,12}$/.test(value)) throw new CommandError(`--${name} must be a whole number, not "${value}"`)
  return Number(value)
}

/** `null` if the flag is not given. */
export function countOrNull(args: Arguments, name: string): number | null {
  if (args.flag(name) === undefined) return null
  const count = wholeNumber(args, name, 0)
  if (count === 0) throw new CommandError(`--${name} must be at least 1`)
  return count
}

const USER_ERRORS = [
  ...[CommandError, ConfigError, ModelsError, StoreUnavailableError, StorageError],
  ...[LogUnavailableError, LogUnfitError, LogReplacedError],
]

/** An error the user can fix gets one line; a bug of ours keeps its stack. */
export const isUserError = (error: unknown): error is Error => USER_ERRORS.some((type) => error instanceof type) || isSystemError(error)

/** For example a folder that cannot be written. */
const isSystemError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error
