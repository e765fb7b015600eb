/** What answers reads and questions, wherever it is asked: put together the same way for hosts and workers. */

import { Addresses } from '../../readmodels/feed/render.js'
import { languageModel } from '../ask/answer/rephrase.js'
import { Ask } from '../ask/ask.js'
import { WINDOW_S } from '../http/rate-limit/rate-limit.js'
import type { Observatory } from '../observe/monitor.js'
import { tracedStore } from '../observe/traced-store.js'
import type { Versions } from '../operations/cache/model-versions.js'
import { Operations } from '../operations/read-executor.js'
import type { DocumentStore } from '../ports/document-store.js'
import type { Config } from './config.js'

export function createOperations(
  config: Config,
  documents: DocumentStore,
  { tracer, around }: Observatory,
  versions?: Versions,
): Operations {
  const store = tracer.isOn ? tracedStore(documents, tracer) : documents
  return new Operations(store, new Addresses(config.PUBLIC_DOMAIN), { around, ...(versions === undefined ? {} : { versions }) })
}

/** The limits as the answers state them are those that are kept. */
export function createAsk(config: Config, operations: Operations, { metrics }: Observatory): Ask {
  const { BASE_URL, WEB_URL, RATE_LIMIT_PUBLIC, RATE_LIMIT_AGENT, RATE_LIMIT_MCP } = config
  const { ASK_LLM_URL: url, ASK_LLM_MODEL: model, ASK_LLM_KEY: key, ASK_LLM_TIMEOUT } = config
  const limits = { public: RATE_LIMIT_PUBLIC, agent: RATE_LIMIT_AGENT, mcp: RATE_LIMIT_MCP, windowS: WINDOW_S }
  const phrase = url === undefined ? undefined : languageModel({ url, model, key, timeoutMs: ASK_LLM_TIMEOUT * 1000 })
  const answered = (outcome: string) => metrics.asked(outcome)
  return new Ask({ operations, installation: { baseUrl: BASE_URL, webUrl: WEB_URL, limits }, phrase, answered })
}
