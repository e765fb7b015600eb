import { createHash } from 'node:crypto'
import { SKILL_NAME } from '../contract/agent-operations.js'
import { MAX_BATCH, POLL_AFTER_S } from '../contract/caller-limits.js'
import { RETRY_POLICY } from '../contract/errors.js'
import type { Operation } from '../contract/operation.js'
import { type Origins, serviceUrls } from '../contract/public-urls.js'
import { discoveryText } from './discovery-text.js'

const DESCRIPTION =
  'Reads the public community of a phone app in which people describe apps, games, trackers and widgets and get them built: feed, search, tags, creators, creations, and answers about the product. Use it to find creations or creators, or to answer questions about plans, credits, sign-in and the API. Read-only, needs no credentials.'

/** The agent skill: how to use the service, on one page. */
export function skillMarkdown(sites: Origins, reads: readonly Operation[]): string {
  const { transient, not_retryable } = RETRY_POLICY
  const { initial_ms, cap_ms, max_attempts } = transient.backoff
  return discoveryText('skill.md', sites, {
    name: SKILL_NAME,
    description: JSON.stringify(DESCRIPTION),
    pollSeconds: POLL_AFTER_S,
    reads: reads.map(({ name, path, summary }) => `| \`${name}\` | \`GET ${sites.baseUrl}${path}\` | ${summary} |`).join('\n'),
    batchMax: MAX_BATCH,
    retryable: transient.statuses.join(', '),
    retryInitial: initial_ms,
    retryCap: cap_ms,
    retryAttempts: max_attempts,
    notRetryable: not_retryable.statuses.join(', '),
  })
}

/** The index of skills, in version 0.2.0 of its format. */
export function skillIndex(sites: Origins, reads: readonly Operation[]) {
  const digest = createHash('sha256').update(skillMarkdown(sites, reads)).digest('hex')
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [{ name: SKILL_NAME, type: 'skill-md', description: DESCRIPTION, url: serviceUrls(sites).skill, digest: `sha256:${digest}` }],
  }
}
