import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { serverPorts } from '../servers/ports.js'
import { COMMUNITY } from './community.js'
import { DataFolder } from './data-folder.js'
import { type Finished, serveArguments, spawnVitrine } from './program.js'

const PRELOAD = `--import ${fileURLToPath(new URL('./unreadable-files.js', import.meta.url))}`

/** A file that each part of `serve` reads when it starts. */
export const FILES = {
  'the admin host': 'admin.css',
  'the web host': '60-prose.css',
  'the questions': 'facts.json',
  'the MCP server': 'README.md',
}

export async function folderWithEvents(t: Pick<Test, 'teardown'>): Promise<string> {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  return folder.path
}

/** On free ports. */
export async function argumentsFor(folder: string, flags: readonly string[]): Promise<string[]> {
  const [api = 0, web = 0, admin = 0] = await serverPorts(3)
  return serveArguments(folder, { api, web, admin }, flags)
}

/** Starts a service with workers, none of which can read the file. */
export const startWorkersWithout = async (file: string, folder: string): Promise<Finished> =>
  spawnVitrine(await argumentsFor(folder, ['--workers', '2']), { env: { NODE_OPTIONS: PRELOAD, UNREADABLE: file } })

export const saysItCannotRead = (file: string): RegExp => new RegExp(`^vitrine serve: EIO[^\\n]*${file}'\\n$`)
