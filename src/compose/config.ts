import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { MAX_BATCH } from '../contract/caller-limits.js'
import { nearestWord } from '../lib/nearest-word.js'

const port = z.coerce.number('must be a port number').int().min(0).max(65_535)
const limitOf = (least: number) =>
  z.union(
    [z.literal('off').transform(() => null), z.coerce.number().int().min(least)],
    `must be a whole number of at least ${least}, or "off"`,
  )
/** With less, a full batch could never pass. */
const limit = limitOf(MAX_BATCH)
const wholeNumber = (least: number, most: number, what: string) =>
  z.coerce.number(`must be a ${what} from ${least} to ${most}`).int().min(least).max(most)
const text = z.string().min(1)
const matching = (pattern: RegExp, message: string) => z.string().regex(pattern, message)
const commaSeparated = <T extends z.ZodType<unknown, string>>(entry: T) =>
  z
    .string()
    .transform((list) => list.split(',').map((each) => each.trim()))
    .pipe(z.array(entry).min(1))
const origin = matching(/^https?:\/\/[^/\s]+$/, 'must be an origin such as https://api.example.com, without a path')
const natsServers = matching(
  /^(((nats|tls):\/\/)?[^\s,/]+)(,\s*((nats|tls):\/\/)?[^\s,/]+)*$/,
  'must be nats://host:4222, or several separated by commas',
)
/** Also what `URL` takes for a host, a path or a query when a password is not escaped. */
const redisUrl = matching(
  /^rediss?:\/\/[^/?#\s]+(\/\d*)?(\?[^@#]*)?$/,
  'must be redis://host:6379, with a password that is percent-encoded',
).refine(isDecodable, 'must be an address whose password is percent-encoded')
const replicas = z.enum(['1', '3', '5'], 'must be 1, 3 or 5').transform(Number)
const onOff = z.enum(['on', 'off', 'true', 'false'], 'must be "on" or "off"').transform((value) => value === 'on' || value === 'true')
const ROLE_NAMES = ['query', 'project', 'ask'] as const
const role = z.enum(ROLE_NAMES, `must be a comma-separated list of ${ROLE_NAMES.join(', ')}`)
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** One entry per variable: the environment, the command line's flags and the documentation all come from here. */
const VARIABLES = {
  HOST: { schema: text.default('127.0.0.1'), help: 'address to listen on' },
  API_PORT: { schema: port.default(3000), help: 'port of the api host' },
  WEB_PORT: { schema: port.default(3001), help: 'port of the web host' },
  ADMIN_PORT: { schema: port.default(3002), help: 'port of the admin host' },
  ADMIN_HOST: { schema: text.default('127.0.0.1'), help: 'address the admin host listens on' },
  BASE_URL: { schema: origin.optional(), help: 'public origin of the api host; unset: http://HOST:API_PORT' },
  WEB_URL: { schema: origin.optional(), help: 'public origin of the web host; unset: http://HOST:WEB_PORT' },
  PUBLIC_DOMAIN: {
    schema: matching(/^[A-Za-z0-9.-]+(:\d+)?$/, 'must be a domain name').default('vitrine.example'),
    help: 'domain whose subdomains are the creators',
  },
  PICTURE_ORIGINS: {
    schema: commaSeparated(origin).default([]),
    help: 'origins of covers and avatars beside the web host, comma-separated',
  },
  MCP_ORIGINS: {
    schema: commaSeparated(origin).default([]),
    help: 'origins of other sites whose pages may use the MCP servers, comma-separated',
  },
  DATA_DIR: { schema: text.default('./data'), help: 'folder of the embedded stores' },
  NATS_URL: { schema: natsServers.optional(), help: 'servers of the event log, comma-separated; unset: the embedded log' },
  NATS_STREAM: {
    schema: matching(/^[A-Za-z0-9_-]+$/, 'must be a stream name such as APP_EVENTS').default('APP_EVENTS'),
    help: 'JetStream stream of the event log',
  },
  NATS_CREATE: { schema: onOff.default(true), help: 'create that stream if it does not exist, and raise too few replicas of the others' },
  NATS_REPLICAS: { schema: replicas.optional(), help: 'replicas of the streams that are created; unset: those of the log (a new log: 1)' },
  NATS_USER: { schema: text.optional(), help: 'user name for NATS' },
  NATS_PASSWORD: { schema: text.optional(), help: 'password for NATS' },
  NATS_TOKEN: { schema: text.optional(), help: 'token for NATS' },
  NATS_CREDS: { schema: text.optional(), help: 'text of a NATS credentials file; NATS_CREDS_FILE names the file' },
  NATS_TLS_CA: { schema: text.optional(), help: 'certificates to trust for NATS (PEM); NATS_TLS_CA_FILE names a file' },
  NATS_TLS_CERT: { schema: text.optional(), help: 'own certificate for NATS (PEM), or NATS_TLS_CERT_FILE' },
  NATS_TLS_KEY: { schema: text.optional(), help: 'its key (PEM), or NATS_TLS_KEY_FILE' },
  MONGODB_URL: {
    schema: matching(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb://').optional(),
    help: 'replica set of the read models; unset: embedded',
  },
  EVENTSTORE_URL: {
    schema: matching(/^(nats$|(esdb|kurrentdb)(\+discover)?:\/\/)/, 'must be esdb://…, kurrentdb://… or "nats"').optional(),
    help: 'where ask jobs live; unset: embedded',
  },
  REDIS_URL: {
    schema: redisUrl.optional(),
    help: 'shares rate limits between machines',
  },
  MODELS: {
    schema: commaSeparated(text).default([]),
    help: 'folders or packages with custom models, comma-separated; unset: what vitrine.config.ts names',
  },
  ROLES: { schema: commaSeparated(role).default(['query', 'project', 'ask']), help: 'what this process does' },
  WORKERS: { schema: wholeNumber(1, 64, 'whole number').default(1), help: 'processes that answer readers on this machine' },
  ON_VERSION_CHANGE: {
    schema: z.enum(['rebuild', 'keep'], 'must be "rebuild" or "keep"').default('rebuild'),
    help: 'if a projection has a higher version than its live model: rebuild it, or keep serving the old one',
  },
  RATE_LIMIT_PUBLIC: { schema: limit.default(120), help: 'public reads per minute and caller, or "off"' },
  RATE_LIMIT_AGENT: { schema: limit.default(60), help: 'agent requests per minute and caller, or "off"' },
  RATE_LIMIT_MCP: { schema: limit.default(60), help: 'MCP requests per minute and caller, or "off"' },
  RATE_LIMIT_PAGES: { schema: limit.default(300), help: 'pages per minute and caller, and 20 times as many pictures, or "off"' },
  MAX_CONNECTIONS: { schema: wholeNumber(10, 100_000, 'whole number').default(4000), help: 'open connections of each process' },
  MAX_CONNECTIONS_PER_CALLER: {
    schema: limitOf(1).default(256),
    help: 'the same of one caller, or "off"; not counted behind a proxy (TRUST_PROXY)',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: matching(/^https?:\/\/\S+$/, 'must be an address such as http://localhost:4318').optional(),
    help: 'where traces go (OTLP over HTTP)',
  },
  ADMIN_TOKEN: {
    schema: z.string().min(16, 'must have at least 16 characters').optional(),
    help: 'opens the admin pages, or ADMIN_TOKEN_FILE; unset: they answer this machine only',
  },
  TRUST_PROXY: { schema: onOff.default(false), help: 'trust the headers of the proxy in front (X-Forwarded-For, -Proto, -Host)' },
  ASK_LLM_URL: {
    schema: matching(/^https?:\/\/\S+$/, 'must begin with http:// or https://').optional(),
    help: 'OpenAI-compatible service that rephrases answers and proposes words to search for; unset: sent as found',
  },
  ASK_LLM_MODEL: { schema: text.optional(), help: 'model of that service' },
  ASK_LLM_KEY: { schema: text.optional(), help: 'key of that service' },
  // Less than an attempt at a job may take, and less than a connection may be silent.
  ASK_LLM_TIMEOUT: {
    schema: wholeNumber(1, 15, 'number of seconds').default(3),
    help: 'seconds to wait for that service before an answer is sent as found',
  },
  LOG_LEVEL: { schema: z.enum(LOG_LEVELS, 'must be a log level such as info').default('info'), help: 'how much to log' },
} as const

export type VariableName = keyof typeof VARIABLES
/** Never repeated: error messages end up in logs, and a mistyped address may hold its password anywhere. */
const NEVER_PRINTED = /_(URL|ENDPOINT|PASSWORD|TOKEN|KEY|CREDS)$/
type Parsed = { [N in VariableName]: z.output<(typeof VARIABLES)[N]['schema']> }

export interface Config extends Omit<Parsed, 'BASE_URL' | 'WEB_URL'> {
  BASE_URL: string
  WEB_URL: string
}

export const VARIABLE_NAMES = Object.keys(VARIABLES) as VariableName[]
export const helpOf = (name: VariableName): string => VARIABLES[name].help

/** The default as it would be written; `null` if there is none. */
export function defaultOf(name: VariableName): string | null {
  const preset: unknown = VARIABLES[name].schema.parse(undefined)
  if (preset === undefined || (Array.isArray(preset) && preset.length === 0)) return null
  if (typeof preset === 'boolean') return preset ? 'on' : 'off'
  return String(preset)
}

/** Other programs have variables, too: only a name that is very near to one of ours is taken for it. */
const MAX_TYPOS = 1
const LONG_NAME = 9
const MAX_TYPOS_IN_LONG_NAME = 2

/** Names of the environment that are probably meant to be one of ours. */
export function misspeltVariables(environment: Readonly<Record<string, string | undefined>>): { name: string; meant: string }[] {
  const known = new Set(VARIABLE_NAMES.flatMap((name) => [name, `${name}_FILE`]))
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name)) return []
    const meant = nearestWord(name, [...known], name.length >= LONG_NAME ? MAX_TYPOS_IN_LONG_NAME : MAX_TYPOS)
    return meant === undefined ? [] : [{ name, meant }]
  })
}

/** An invalid value, in one line that names it. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Values from the environment; `NAME_FILE` names a file that holds the value of `NAME`, for secrets. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const parsed = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, parse(name, rawValue(name, environment))])) as Parsed
  if (parsed.EVENTSTORE_URL === 'nats' && parsed.NATS_URL === undefined) throw new ConfigError('EVENTSTORE_URL=nats: needs NATS_URL')
  return {
    ...parsed,
    BASE_URL: parsed.BASE_URL ?? originOf(parsed.HOST, parsed.API_PORT),
    WEB_URL: parsed.WEB_URL ?? originOf(parsed.HOST, parsed.WEB_PORT),
  }
}

function rawValue(name: VariableName, environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const file = environment[`${name}_FILE`]
  if (file === undefined || file === '') return environment[name] === '' ? undefined : environment[name]
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new ConfigError(`${name}_FILE: cannot read ${file}`)
  }
}

function parse(name: VariableName, value: string | undefined): unknown {
  const result = VARIABLES[name].schema.safeParse(value)
  if (result.success) return result.data
  const message = result.error.issues[0]?.message ?? 'is not valid'
  throw new ConfigError(`${name}${NEVER_PRINTED.test(name) ? '' : `=${value}`}: ${message}`)
}

function isDecodable(url: string): boolean {
  try {
    return decodeURIComponent(new URL(url).href) !== ''
  } catch {
    return false
  }
}

/** The address of a listener on this machine. */
export const originOf = (host: string, listener: number): string => `http://${urlHost(host)}:${listener}`

/** 0.0.0.0 does not open in a browser. */
const urlHost = (host: string): string => (host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host)
