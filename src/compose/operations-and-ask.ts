/** Creates what answers reads and questions, the same way for hosts and the ask worker. */

import { rephraseWithModel } from '../ask/answer/rephrase.js'
import { Ask } from '../ask/ask.js'
import { PublicUrls } from '../contract/public-urls.js'
import { WINDOW_S } from '../http/rate-limit/rate-limit.js'
import type { Monitor } from '../observe/monitor.js'
import { tracedStore } from '../observe/traced-store.js'
import type { ModelVersions } from '../operations/cache/model-versions.js'
import { ReadExecutor } from '../operations/read-executor.js'
import type { DocumentStore } from '../ports/document-store.js'
import type { Config } from './config.js'
import { publicReads } from './models.js'

export function createOperations(
  config: Config,
  documents: DocumentStore,
  { tracer, instrument }: Monitor,
  versions?: ModelVersions,
): ReadExecutor {
  const store = tracer.enabled ? tracedStore(documents, tracer) : documents
  return new ReadExecutor(store, new PublicUrls(config.PUBLIC_DOMAIN), { instrument, ...(versions === undefined ? {} : { versions }) })
}

/** Answers state the limits that are enforced. */
export function createAsk(config: Config, operations: ReadExecutor, { metrics }: Monitor): Ask {
  const { BASE_URL, WEB_URL, RATE_LIMIT_PUBLIC, RATE_LIMIT_AGENT, RATE_LIMIT_MCP } = config
  const { ASK_LLM_URL: url, ASK_LLM_MODEL: model, ASK_LLM_KEY: key, ASK_LLM_TIMEOUT } = config
  const limits = { public: RATE_LIMIT_PUBLIC, agent: RATE_LIMIT_AGENT, mcp: RATE_LIMIT_MCP, windowS: WINDOW_S }
  const installation = { baseUrl: BASE_URL, webUrl: WEB_URL, operations: publicReads.map(({ name }) => name), limits }
  const rephrase = url === undefined ? undefined : rephraseWithModel({ url, model, key, timeoutMs: ASK_LLM_TIMEOUT * 1000 })
  const onAnswered = (outcome: string) => metrics.recordAskAnswer(outcome)
  return new Ask({ operations, installation, rephrase, onAnswered })
}
