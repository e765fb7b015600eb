import { type Addresses, addressOf, hostUrl } from './addresses.js'
import type { AskResponse, AsyncAskJob, AsyncAskJobStatus, Operations, ServiceStatus } from './api.js'
import { type AskEvent, ask, askStream, type Question } from './ask.js'
import { type BatchOptions, type BatchRequests, type BatchResults, batch, type UntypedRequest } from './batch.js'
import { UnexpectedAnswerError } from './errors.js'
import { type AskJobOptions, AskJobs, type WaitForJobOptions } from './jobs.js'
import type { ItemOf, OperationTable, PagedId, ReadParameters, ResultOf } from './operation-types.js'
import { operations } from './operations.js'
import type { CallOptions, ClientOptions, PostOptions, ReadOptions } from './options.js'
import { pages, read } from './reads.js'
import { Http, isServiceStatus } from './transport/http.js'

/** A method for every public read. */
export type Reads<O> = { [Id in keyof O]: (...parameters: ReadParameters<O, Id>) => Promise<ResultOf<O, Id>> }

export interface ClientMethods<O> {
  /** Every item of a read that answers in pages. The next page is fetched when the caller gets to it. */
  items<Id extends PagedId<O>>(operation: Id, ...parameters: ReadParameters<O, Id>): AsyncGenerator<ItemOf<ResultOf<O, Id>>, void, void>
  /** The same, a page at a time. */
  pages<Id extends PagedId<O>>(operation: Id, ...parameters: ReadParameters<O, Id>): AsyncGenerator<ResultOf<O, Id>, void, void>
  /** Up to ten reads in one request. Results have the names of the requests; one that fails fails alone. */
  batch<const Ids extends Record<string, keyof O>>(requests: BatchRequests<O, Ids>, options?: BatchOptions): Promise<BatchResults<O, Ids>>
  /** Answers a question about the product or the public data. */
  ask(question: Question, options?: PostOptions): Promise<AskResponse>
  /** The same, as events. */
  askStream(question: Question, options?: PostOptions): AsyncGenerator<AskEvent, void, void>
  /** For questions that may take a while: asks in the background, and polls as often as the service allows. */
  askJob(question: Question, options?: AskJobOptions): Promise<AskResponse>
  /** The first half of `askJob`. */
  createAskJob(question: Question, options?: PostOptions): Promise<AsyncAskJob>
  /** The second half of `askJob`, also in another process: jobs are known for 24 hours. */
  waitForAskJob(jobId: string, options?: WaitForJobOptions): Promise<AskResponse>
  getAskJobStatus(jobId: string, options?: CallOptions): Promise<AsyncAskJobStatus>
  /** How the service stands, and its limits. */
  getStatus(options?: CallOptions): Promise<ServiceStatus>
}

export type Client<O = Operations> = Reads<O> & ClientMethods<O>

/** A client of an installation with the built-in models. */
export function createClient(options: ClientOptions): Client
/** A client of an installation with models of its own: `operations` comes from the module that `vitrine client` prints. */
export function createClient<O>(options: ClientOptions & { operations: OperationTable<O> }): Client<O>
export function createClient(options: ClientOptions & { operations?: OperationTable<Record<string, unknown>> }): object {
  const table: Addresses = options.operations ?? operations
  const apiUrl = hostUrl('apiUrl', options.apiUrl)
  const webUrl = hostUrl('webUrl', options.webUrl)
  const statusUrl = `${webUrl}/status`
  const http = new Http(options, statusUrl)
  const jobs = new AskJobs(http, `${webUrl}/ask/jobs`)

  const readById = async (id: string, args: object = {}, call: ReadOptions = {}) => read(http, apiUrl, addressOf(table, id), args, call)
  const pagesOf = (id: string, args: object = {}, call: ReadOptions = {}) =>
    pages((cursor) => readById(id, cursor === undefined ? args : { ...args, cursor }, call), http.maxPages)

  const methods = {
    async *items(id: string, args?: object, call?: ReadOptions) {
      for await (const { items } of pagesOf(id, args, call)) yield* items
    },
    pages: pagesOf,
    batch: (requests: Readonly<Record<string, UntypedRequest>>, call: BatchOptions = {}) =>
      batch(http, `${webUrl}/batch`, table, requests, call),
    ask: (question: Question, call: PostOptions = {}) => ask(http, `${webUrl}/ask`, question, call),
    askStream: (question: Question, call: PostOptions = {}) => askStream(http, `${webUrl}/ask`, question, call),
    askJob: (question: Question, call: AskJobOptions = {}) => jobs.run(question, call),
    createAskJob: (question: Question, call: PostOptions = {}) => jobs.create(question, call),
    waitForAskJob: (jobId: string, call: WaitForJobOptions = {}) => jobs.wait(jobId, call),
    getAskJobStatus: (jobId: string, call: CallOptions = {}) => jobs.status(jobId, call),
    async getStatus(call: CallOptions = {}) {
      const { body } = await http.json({ method: 'GET', url: statusUrl }, call)
      if (!isServiceStatus(body)) throw new UnexpectedAnswerError('the answer is not a status document', 200)
      return body
    },
  }
  const reads = Object.keys(table).map((id) => {
    // A promise has `then`: awaiting a client would call it.
    if (Object.hasOwn(methods, id) || id === 'then')
      throw new TypeError(`an operation cannot be called "${id}": clients have a method of this name`)
    return [id, (args?: object, call?: ReadOptions) => readById(id, args, call)] as const
  })
  return { ...Object.fromEntries(reads), ...methods }
}
