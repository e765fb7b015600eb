import { z } from 'zod'
import type { ModelReads } from '../ports/document-store.js'
import type { Localizer } from './locale.js'
import type { PublicUrls } from './public-urls.js'

/** The API's only version, and the header that names it. */
export const VERSION_HEADER = 'Service-API-Version'
export const API_VERSION = '2026-05-26'

/** Version of the OpenAPI document; the API's own version is a date. */
export const DESCRIPTION_VERSION = '1.0.0'

export interface ReadContext {
  /** The models the operation declared, all within one snapshot. */
  model(name: string): ModelReads
  /** The version of a model's documents. It may be an older one while a new one is built. */
  versionOf(name: string): number
  localizer: Localizer
  urls: PublicUrls
}

export interface Deprecation {
  since: Date
  /** At least ninety days after `since`. */
  sunset: Date
  link: string
}

const DAY_MS = 86_400_000
/** How long a deprecated operation stays at least. */
export const MIN_NOTICE_DAYS = 90

/** Throws if a deprecated operation ends before its users had time to leave it. */
export function checkDeprecationNotice(name: string, deprecated: Deprecation | undefined): void {
  if (deprecated === undefined || deprecated.sunset.getTime() - deprecated.since.getTime() >= MIN_NOTICE_DAYS * DAY_MS) return
  throw new Error(`${name} must stay for at least ${MIN_NOTICE_DAYS} days after it is deprecated`)
}

export type InputSchema = z.ZodObject<Record<string, z.ZodType>>

/** `x-gardens` for the reads of custom models under `x/gardens`. */
type Tag = 'community' | 'users' | 'apps' | `x-${string}`

/** What it takes to run a read. Those that no surface lists are no more than this. */
export interface PlainRead<I extends InputSchema = InputSchema, T = unknown> {
  /** Of an operation, also the name of the MCP tool and of the batch operation. */
  name: string
  tag?: Tag
  input: I
  /** Names of the models it reads. */
  models: readonly string[]
  /** The versions of custom models that it is written for: on another one, until that is rebuilt, it may fail. */
  versions?: ReadonlyMap<string, number>
  run(context: ReadContext, input: z.output<I>): Promise<T>
}

/** A public read, described once. REST, batch, MCP, the OpenAPI document and llms.txt are all made from it. */
export interface Operation<I extends InputSchema = InputSchema, O extends z.ZodType = z.ZodType> extends PlainRead<I, z.output<O>> {
  operationId: string
  /** Path template; every `{parameter}` is a field of the input, all other fields are query parameters. */
  path: string
  tag: Tag
  summary: string
  description: string
  output: O
  /** Also answered by the web host. */
  onWebHost?: boolean
  /** What can be missing, as the description of its 404; without it the operation always has an answer. */
  notFound?: string
  deprecated?: Deprecation
  example: { input: Record<string, unknown>; output: unknown }
}

/** Whether a read is one of custom models, whose code is not ours. */
export const isOwn = ({ tag }: Pick<PlainRead, 'tag'>): boolean => tag?.startsWith('x-') ?? false

/** Infers the types of input and output, so that callers in this process are checked against them. */
export const operation = <I extends InputSchema, O extends z.ZodType>(definition: Operation<I, O>): Operation<I, O> => definition

/** Infers the types of a read that no surface lists. */
export const plainRead = <I extends InputSchema, T>(definition: PlainRead<I, T>): PlainRead<I, T> => definition

export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

/** `/user/{handle}` as the router writes it: `/user/:handle`. */
export const toRoutePattern = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Routers tell `/{a}` from `/{b}` as little as callers do. */
const unnamed = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}')

/** Throws if two operations of a list clash or one breaks a rule of the contract. */
export function validateOperations(list: readonly Operation[]): readonly Operation[] {
  for (const { name, operationId, path, input, deprecated } of list) {
    if (list.filter((other) => other.name === name).length > 1) throw new Error(`two operations are called ${name}`)
    if (list.filter((other) => other.operationId === operationId).length > 1) throw new Error(`two operations have the id ${operationId}`)
    const same = list.filter((other) => unnamed(other.path) === unnamed(path))
    if (same.length > 1) throw new Error(`two operations answer on ${[...new Set(same.map((other) => other.path))].join(' and ')}`)
    const unknown = pathParameters(path).find((parameter) => !(parameter in input.shape))
    if (unknown !== undefined) throw new Error(`${name} has {${unknown}} in its path but not in its input`)
    checkDeprecationNotice(name, deprecated)
  }
  return list
}

export const MAX_SUGGESTIONS = 20
export const MAX_PREFIX_LENGTH = 200
export const suggestionPrefix = z.string().max(MAX_PREFIX_LENGTH)
