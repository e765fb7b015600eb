import { z } from 'zod'
import { NLWEB_VERSION } from '../../ask/response.js'
import { MAX_BATCH } from '../../contract/caller-limits.js'
import { RETRY_POLICY } from '../../contract/errors.js'
import { API_VERSION, type Operation } from '../../contract/operation.js'
import { type Origins, serviceUrls } from '../../contract/public-urls.js'
import { discoveryText } from '../discovery-text.js'

const Example = z.record(z.string(), z.unknown())
const Examples = z.strictObject({
  answer: Example,
  job: Example,
  completed: Example,
  batch: Example,
  status: Example,
  mcpInfo: Example,
  rpcUnsupported: Example,
  rpcUnknown: Example,
})

/** Example answers of the agent endpoints. A test checks each against its schema. */
export function agentExamples(sites: Origins, reads: readonly Operation[]) {
  const source = discoveryText('examples.json', sites, { nlwebVersion: NLWEB_VERSION, apiVersion: API_VERSION })
  const examples = Examples.parse(JSON.parse(source))
  const { answer, job, completed, status } = examples
  const tools = reads.map(({ name, summary }) => ({ name, title: summary }))
  return {
    ...examples,
    finished: { ...job, ...completed, result: answer },
    status: { ...status, retry: { ...RETRY_POLICY, guidance: 'Wait for Retry-After after a 429.' } },
    batchInfo: {
      endpoint: serviceUrls(sites).batch,
      method: 'POST',
      max_requests: MAX_BATCH,
      operations: reads.map(({ name, summary }) => ({ name, summary })),
    },
    webmcp: { name: 'vitrine', url: sites.webUrl, tools },
    rpc: { jsonrpc: '2.0', id: 1, result: { tools } },
  }
}
