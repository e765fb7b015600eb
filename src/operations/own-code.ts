/** Tells code of custom models from ours, also in what it starts and does not await; and for whom a read runs. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PlainRead } from '../contract/operation.js'

/** What is known of a request below its surface. */
export interface RequestOrigin {
  caller: string | null
  /** Frees the request's slot for database work. */
  releaseSlot: (() => void) | null
}

/** A custom read whose code runs, as log lines name it. */
export interface OwnRead {
  operation: string
  models: string
}

const context = new AsyncLocalStorage<{ origin?: RequestOrigin; read?: OwnRead }>()

/** Everything that `run` starts knows its request. */
export const inRequest = (origin: RequestOrigin, run: () => void): void => context.run({ origin }, run)

export const requestOrigin = (): RequestOrigin | undefined => context.getStore()?.origin

/** What `run` starts counts as code of this read. */
export const asOwnCode = <T>({ name, models }: Pick<PlainRead, 'name' | 'models'>, run: () => T): T =>
  context.run({ read: { operation: name, models: models.join(', ') } }, run)

/** The way back: what own code calls of ours is ours. */
export const asOurCode = <T>(run: () => T): T => context.run({}, run)

/** Null in our code. */
export const runningOwnRead = (): OwnRead | null => context.getStore()?.read ?? null
