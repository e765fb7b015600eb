/** A client of the service, for Node, browsers and edge runtimes: `import { createClient } from 'vitrine/client'`. */

export type * from './api.js'
export type { AskEvent, Question } from './ask.js'
export type { BatchOptions, BatchRequest, BatchRequests, BatchResult, BatchResults } from './batch.js'
export { type Client, type ClientMethods, createClient, type Reads } from './client.js'
export { ApiError, ConnectionError, type ErrorName, UnexpectedAnswerError } from './errors.js'
export type { AskJobOptions, WaitForJobOptions } from './jobs.js'
export type { OperationTable } from './operation-types.js'
export type { CallOptions, ClientOptions, PostOptions, ReadOptions } from './options.js'
export type { ResponseInfo } from './transport/response-info.js'
