import { createClient } from 'redis'
import { type Finding, failed, passed } from '../../ports/diagnostics.js'

/** Whether the server that shares the limits answers. */
export async function diagnoseRedis(url: string): Promise<Finding> {
  const client = createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 2000 } })
  client.on('error', () => {})
  try {
    await client.connect()
    const version = /redis_version:(\S+)/.exec(await client.info('server'))?.[1]
    return passed('Redis', version ?? 'answers')
  } catch (error) {
    const reason = error instanceof Error ? error.message || String(error.cause ?? error.name) : String(error)
    return failed('Redis', `cannot be reached (${reason}): every process counts for itself`, 'start it, or correct REDIS_URL')
  } finally {
    if (client.isOpen) client.destroy()
  }
}
