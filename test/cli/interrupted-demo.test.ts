/** A demo whose seeding was killed goes on at the next start. */
import t from 'tap'
import { DEMO_DEFAULTS, DEMO_EVENTS, demoLog } from '../../demo/index.js'
import type { NewRecord } from '../../src/ports/event-log.js'
import { vitrine } from '../harness/command.js'
import { DataFolder } from '../harness/data-folder.js'
import { Serving } from '../harness/program.js'
import { eventually } from '../ports/subject.js'

const idsOf = (records: Iterable<NewRecord>): string => Array.from(records, ({ id }) => id).join('\n')

await t.test('serve --demo', async (t) => {
  const folder = await DataFolder.open(t)
  const last = async () => (await folder.log.bounds()).last
  const killed = await Serving.start(t, folder.path, ['--demo'])
  await eventually(async () => (await last()) > 0)
  await killed.end('SIGKILL')
  const written = await last()
  t.ok(written > 0 && written < DEMO_EVENTS, `${written} events when it was killed`)

  const again = await Serving.start(t, folder.path, ['--demo'])
  await eventually(async () => (await last()) >= DEMO_EVENTS)
  await again.end('SIGKILL')
  t.ok(idsOf(await folder.records()) === idsOf(demoLog({ ...DEMO_DEFAULTS, webUrl: '' })), 'as if it had not been interrupted')
})

await t.test('seed --if-empty', async (t) => {
  const SIZE = { creators: 5, creations: 10 }
  const events = [...demoLog({ ...SIZE, seed: 1, webUrl: 'http://localhost' })]
  const seed = async (folder: DataFolder) => {
    const args = ['seed', '--if-empty', '--creators', '5', '--creations', '10', '--data-dir', folder.path]
    return { ...(await vitrine(args)), written: (await folder.records()).length }
  }
  const begun = await DataFolder.open(t)
  await begun.append(events.slice(0, 100))
  t.match(await seed(begun), { code: 0, written: events.length })
  t.match(await seed(begun), { code: 0, stdout: /^0 events written/, written: events.length }, 'a finished one stays')

  const other = await DataFolder.open(t)
  await other.append([...demoLog({ ...SIZE, seed: 2, webUrl: 'http://localhost' })].slice(0, 100))
  t.match(await seed(other), { code: 0, stdout: /^0 events written/, written: 100 }, 'the beginning of another community stays as it is')

  const followed = await DataFolder.open(t)
  await followed.append([...events.slice(0, 100), { id: 'mine', subject: 'creation/mine', payload: '{}' }])
  t.match(await seed(followed), { code: 0, written: 101 }, 'what others have written to stays as it is')
})
