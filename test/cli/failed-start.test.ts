/** When something is missing at the start, `serve` says so and ends, and leaves nothing running. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { databaseOn } from '../adapters/mongo/databases.js'
import { vitrine } from '../harness/command.js'
import { argumentsFor, FILES, folderWithEvents, saysItCannotRead, startWorkersWithout } from '../harness/failed-start.js'
import { failReading } from '../harness/unreadable-files.js'
import { startMongo } from '../servers/mongo.js'

for (const [who, file] of Object.entries(FILES)) {
  await t.test(`a file that ${who} cannot read`, async (t) => {
    const folder = await folderWithEvents(t)
    for (const flags of [[], ['--otel-exporter-otlp-endpoint', 'http://127.0.0.1:9']]) {
      const args = await argumentsFor(folder, flags)
      const readAgain = failReading(file)
      const { code, stdout, stderr } = await vitrine(args).finally(readAgain)
      t.strictSame([code, stdout], [2, ''], flags.join(' '))
      t.match(stderr, saysItCannotRead(file), 'one line that names it')
    }
  })
}

await t.test('a file that workers cannot read', async (t) => {
  const file = FILES['the web host']
  const { code, stdout, stderr } = await startWorkersWithout(file, await folderWithEvents(t))
  t.strictSame([code, stdout], [2, ''])
  t.match(stderr, saysItCannotRead(file), 'one line that names it')
})

await t.test('jobs that are no database', async (t) => {
  const folder = await folderWithEvents(t)
  await mkdir(join(folder, 'asks'))
  await writeFile(join(folder, 'asks', 'events.db'), 'not a database, but long enough to be taken for one'.repeat(100))
  const mongo = await startMongo(t)
  const grounds = mongo === null ? [[]] : [[], ['--mongodb-url', databaseOn(mongo.url)]]
  for (const ground of grounds)
    for (const roles of ['query', 'project,query,ask', 'ask']) {
      const { code, stdout, stderr } = await vitrine(await argumentsFor(folder, [...ground, '--roles', roles]))
      t.strictSame([code, stdout], [2, ''], `${roles} ${ground.join(' ')}`)
      t.match(stderr, /^vitrine serve: [^\n]*not a database[^\n]*\n$/)
    }
})
