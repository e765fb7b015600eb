import { originOf } from '../../compose/config.js'
import type { Command } from '../command-line.js'

/** A process that answers later than this is not well. */
const TIMEOUT_MS = 3000

export const health: Command = {
  name: 'health',
  summary: 'Ask the process at ADMIN_HOST and ADMIN_PORT whether it is alive; exit code 1 if not.',
  example: 'health --ready',
  models: 'none',
  flags: { ready: { type: 'boolean', help: 'ask whether it is ready, too' } },
  async run({ config: { ADMIN_HOST, ADMIN_PORT }, has, json, io }) {
    const url = `${originOf(ADMIN_HOST, ADMIN_PORT)}/health/${has('ready') ? 'ready' : 'live'}`
    const { healthy, said } = await ask(url)
    if (json) io.print(JSON.stringify({ url, healthy, said }))
    else if (healthy) io.print(`${url}: ${said}`)
    else io.warn(`${url}: ${said}`)
    return healthy ? 0 : 1
  },
}

async function ask(url: string): Promise<{ healthy: boolean; said: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { healthy: response.ok, said: await response.text() }
  } catch (error) {
    return { healthy: false, said: reasonOf(error) }
  }
}

/** fetch says why in the cause only, and there nothing for several addresses but their code. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message
}
