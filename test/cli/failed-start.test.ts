/** Whatever cannot be had on the way up: `serve` says so and ends, and leaves nothing running. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { databaseOn } from '../mongo/databases.js'
import { startMongo } from '../servers/mongo.js'
import { COMMUNITY } from '../serving/community.js'
import { DataFolder } from '../serving/data-folder.js'
import { freePorts, spawnVitrine } from '../serving/program.js'
import { Script } from '../spec/script.js'

const PRELOAD = `--import ${fileURLToPath(new URL('../serving/unreadable.js', import.meta.url))}`

async function folderWithEvents(t: Test): Promise<string> {
  const folder = await DataFolder.open(t)
  await folder.append(new Script().write(...COMMUNITY))
  return folder.path
}

async function serve(folder: string, flags: readonly string[], unreadable?: string) {
  const [api, web, admin] = (await freePorts(3)).map(String)
  const ports = ['--api-port', String(api), '--web-port', String(web), '--admin-port', String(admin)]
  const env: Record<string, string> = unreadable === undefined ? {} : { NODE_OPTIONS: PRELOAD, UNREADABLE: unreadable }
  return spawnVitrine(['serve', '--data-dir', folder, ...ports, ...flags], { env })
}

/** What each of them reads on its way up. */
const FILES = {
  'the admin host': 'admin.css',
  'the web host': '60-prose.css',
  'the questions': 'facts.json',
  'the MCP server': 'README.md',
}

for (const [who, file] of Object.entries(FILES)) {
  await t.test(`a file that ${who} cannot read`, async (t) => {
    const folder = await folderWithEvents(t)
    for (const flags of [[], ['--workers', '2'], ['--otel-exporter-otlp-endpoint', 'http://127.0.0.1:9']]) {
      const { code, stdout, stderr } = await serve(folder, flags, file)
      t.strictSame([code, stdout], [2, ''], flags.join(' '))
      t.match(stderr, new RegExp(`^vitrine serve: EIO[^\\n]*${file}'\\n$`), 'one line that names it')
    }
  })
}

await t.test('jobs that are no database', async (t) => {
  const folder = await folderWithEvents(t)
  await mkdir(join(folder, 'asks'))
  await writeFile(join(folder, 'asks', 'events.db'), 'not a database, but long enough to be taken for one'.repeat(100))
  const mongo = await startMongo(t)
  const grounds = mongo === null ? [[]] : [[], ['--mongodb-url', databaseOn(mongo.url)]]
  for (const ground of grounds)
    for (const roles of ['query', 'project,query,ask', 'ask']) {
      const { code, stdout, stderr } = await serve(folder, [...ground, '--roles', roles])
      t.strictSame([code, stdout], [2, ''], `${roles} ${ground.join(' ')}`)
      t.match(stderr, /^vitrine serve: [^\n]*not a database[^\n]*\n$/)
    }
})
