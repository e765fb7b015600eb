/** Example answers of the agent endpoints. A test checks each against its schema. */
import { type AskResponse, type AsyncAskJob, type AsyncAskJobStatus, NLWEB_VERSION } from '../../ask/response.js'
import { MAX_BATCH } from '../../contract/caller-limits.js'
import { RETRY_POLICY } from '../../contract/errors.js'
import type { Operation } from '../../contract/operation.js'
import { API_VERSION } from '../../contract/operation.js'
import { type Origins, serviceUrls } from '../../contract/public-urls.js'
import type { ServiceStatusDocument } from '../../observe/service-status.js'
import type { BatchResponse } from '../../operations/batch.js'

export function agentExamples(sites: Origins, reads: readonly Operation[]) {
  const at = serviceUrls(sites)
  const answer: AskResponse = {
    query_id: 'q_7d1f0c',
    answer: 'The smallest plan has 1,000 credits a month and costs 20 USD.',
    citations: [
      {
        id: 'tiers',
        title: 'Plans and prices',
        url: `${sites.webUrl}/docs/en/plans#tiers`,
        snippet: 'The smallest plan has 1,000 credits a month and costs 20 USD.',
      },
    ],
    results: [],
    _meta: { response_type: 'answer', version: NLWEB_VERSION, mode: 'generate', locale: 'en', position: null },
  }
  const job: AsyncAskJob = {
    job_id: '3f0d1c2b4a5e4f6789ab0c1d2e3f4a5b',
    status: 'queued',
    status_url: `${at.jobs}/3f0d1c2b4a5e4f6789ab0c1d2e3f4a5b`,
    created_at: '2026-05-26T08:30:00.000Z',
    updated_at: '2026-05-26T08:30:00.000Z',
  }
  const finished: AsyncAskJobStatus = { ...job, status: 'completed', updated_at: '2026-05-26T08:30:01.000Z', result: answer }
  const batch: BatchResponse = {
    responses: [
      { id: 'tags', status: 200, code: 0, data: { items: [{ key: 'offline', label: 'offline', count: 470 }], total: 128 } },
      { id: 'who', status: 404, code: 40_400, message: 'No creator has this handle.' },
    ],
  }
  const status: ServiceStatusDocument = {
    status: 'ok',
    api_version: API_VERSION,
    checked_at: '2026-05-26T08:30:00.000Z',
    components: [{ name: 'feed', kind: 'projection', status: 'ok', position: 48_210, lag: 0, lag_s: 0, parked: 0 }],
    limits: {
      public: { requests: 120, window_s: 60 },
      agent: { requests: 60, window_s: 60 },
      mcp: { requests: 60, window_s: 60 },
      batch: { max_operations: MAX_BATCH },
      ask_jobs: { poll_after_s: 5, kept_s: 86_400 },
    },
    retry: { ...RETRY_POLICY, guidance: 'Wait for Retry-After after a 429.' },
  }
  return {
    answer,
    job,
    finished,
    batch,
    status,
    batchInfo: {
      endpoint: at.batch,
      method: 'POST',
      max_requests: MAX_BATCH,
      operations: reads.map(({ name, summary }) => ({ name, summary })),
    },
    mcpInfo: {
      name: 'vitrine',
      version: '1.0.0',
      transport: 'streamable-http',
      url: at.productMcp,
      authentication: 'none',
      readOnly: true,
    },
    webmcp: { name: 'vitrine', url: sites.webUrl, tools: reads.map(({ name, summary }) => ({ name, title: summary })) },
    rpcUnsupported: {
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32_022,
        message: 'This protocol version is not supported.',
        data: { supported: ['2026-07-28'], requested: '2099-01-01' },
      },
    },
    rpcUnknown: { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: 'Method not found' } },
    rpc: { jsonrpc: '2.0', id: 1, result: { tools: reads.map(({ name, summary }) => ({ name, title: summary })) } },
  }
}
