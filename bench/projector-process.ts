import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { type DocumentStore, ModelUnavailableError } from '../src/ports/document-store.js'
import { serverPorts } from '../test/servers/ports.js'
import { MODEL_NAMES } from '../test/support/built-in-models.js'
import { profiling } from './profiling.js'

const POLL_MS = 50

/** A process that only projects. `folder`: the `dist` folder of a build. */
export async function startProjector(folder: string, environment: Record<string, string>): Promise<ChildProcess> {
  const [port] = await serverPorts(1)
  const env = { PATH: process.env.PATH ?? '', ...environment, ROLES: 'project', ADMIN_PORT: String(port), LOG_LEVEL: 'warn' }
  return spawn(process.execPath, [...profiling(), `${folder}/src/main.js`, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Waits until all models have reached a position. */
export async function untilAt(documents: DocumentStore, position: number): Promise<void> {
  while (!(await isAt(documents, position))) await delay(POLL_MS)
}

async function isAt(documents: DocumentStore, position: number): Promise<boolean> {
  try {
    const snapshot = await documents.snapshot(MODEL_NAMES)
    const isThere = MODEL_NAMES.every((model) => snapshot.model(model).checkpoint.position >= position)
    snapshot.release()
    return isThere
  } catch (error) {
    if (error instanceof ModelUnavailableError) return false
    throw error
  }
}
