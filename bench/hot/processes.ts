import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../../test/harness/program.js'
import { profiling } from '../profiling.js'
import type { Load, LoadResult } from './load-process.js'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A process under measurement. */
export interface Served {
  port: number
  pid: number
  /** Most memory it has had so far, in MB. */
  peakMb(): number
  stop(): Promise<void>
}

/** The service once all its models can be read. */
export async function startService(folder: string, flags: readonly string[] = []): Promise<Served & { web: number }> {
  const { child, served } = await launchService(folder, flags)
  await firstLine(child)
  return served
}

/** The service as in production, with its request log (discarded) and limits that count but refuse none. */
export async function launchService(folder: string, flags: readonly string[] = []) {
  const [api = 0, web = 0, admin = 0] = await freePorts(3)
  const ports = ['--api-port', String(api), '--web-port', String(web), '--admin-port', String(admin)]
  const limit = ['--rate-limit-public', '1000000000', '--max-connections-per-caller', 'off']
  const args = [...profiling(), at('../../src/main.js'), 'serve', '--json', '--data-dir', folder, ...ports, ...limit, ...flags]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'info' },
  })
  return { child, served: { ...served(child, api), web } }
}

/** A reference, with the answers that are in a file. */
export async function startBaseline(file: string, entry = './recorded-answers-process.js'): Promise<Served> {
  const child = spawn(process.execPath, [at(entry), file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { port } = JSON.parse(await firstLine(child)) as { port: number }
  return served(child, port)
}

/** Answers a second. */
export async function runLoad(load: Load): Promise<number> {
  const child = spawn(process.execPath, [at('./load-process.js')], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(load))
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`the load generator ended with ${code}`)
  const { answers, seconds } = JSON.parse(said) as LoadResult
  return answers / seconds
}

function served(child: ChildProcess, port: number): Served {
  return {
    port,
    pid: child.pid ?? 0,
    peakMb: () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  let said = ''
  child.stdout?.on('data', (chunk) => (said += chunk))
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`ended with ${code} before it was ready`)
  })
  // Once it is ready, nothing waits for this.
  exited.catch(() => {})
  while (!said.includes('\n')) await Promise.race([child.stdout ? once(child.stdout, 'data') : exited, exited])
  return said
}
