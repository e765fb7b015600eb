/** `vitrine publish` refuses what its dry run refuses: conflicts of ids and sequences, on every log. */
import t, { type Test } from 'tap'
import { JetStreamEventLog } from '../../src/adapters/nats/event-log.js'
import { recordDiscard } from '../../src/engine/dead-letters/discards.js'
import { type EventLog, START } from '../../src/ports/event-log.js'
import { vitrine } from '../harness/command.js'
import { DataFolder } from '../harness/data-folder.js'
import { PATIENT, startNats } from '../servers/nats.js'
import { liked, published, registered } from '../spec/events.js'
import { Script } from '../spec/script.js'

const WRITTEN = [...new Script().write(registered('ada'), published('maze', { by: 'ada' }), liked('maze', 'ben'))]
const LIKE = JSON.parse(WRITTEN[2]?.payload ?? '')
const like = (id: string, sequence: unknown) => ({ ...LIKE, id, sequence })

await t.test('on SQLite', async (t) => {
  const folder = await DataFolder.open(t)
  await refuses(t, folder, folder.log, [])
})

const server = await startNats(t)
if (server !== null)
  await t.test('on NATS', async (t) => {
    const log = new JetStreamEventLog({ ...PATIENT, servers: server.url, stream: 'APP_EVENTS' })
    t.teardown(() => log.close())
    await refuses(t, await DataFolder.open(t), log, ['--nats-url', server.url])
  })

async function refuses(t: Test, folder: DataFolder, log: EventLog, flags: readonly string[]): Promise<void> {
  await log.append(WRITTEN)
  const run = (events: readonly object[], ...more: string[]) =>
    vitrine(['publish', '-', '--data-dir', folder.path, ...flags, ...more], { input: events.map((e) => JSON.stringify(e)).join('\n') })
  const written = async () => (await log.read(START, 100)).map(({ id }) => id)

  const refused: [what: string, events: object[], reason: RegExp][] = [
    ['a sequence that the log has', [like('a', 2)], /^line 1: another event has sequence 2 of creation\/maze: "e3" \(at position 3\)\n/],
    ['one good event, one conflict', [like('a', 3), like('b', 2)], /^line 2: another event has sequence 2/],
    ['two of one sequence in the file', [like('a', 3), like('b', 3)], /^line 2: another event has sequence 3 .* \(in line 1\)\n/],
    ['an id of the aggregate', [like('e2', 3)], /^line 1: another event has the id "e2" \(at position 2\)\n/],
    ['a sequence as text', [like('a', '3')], /^line 1: envelope: sequence: expected number, received string\n/],
  ]
  for (const [what, events, reason] of refused) {
    const dry = await run(events, '--dry-run')
    t.match(dry, { code: 1, stdout: '', stderr: reason }, what)
    t.strictSame(await run(events), dry, `${what}: published as little as in the dry run, with the same words`)
    t.strictSame(await written(), ['e1', 'e2', 'e3'])
  }

  t.match(await run([like('e3', 2), like('a', 3)]), { code: 0, stdout: /^1 event published, 1 was there already/ })
  t.match(
    await run([like('e1', 4), like('b', 5)]),
    { code: 1, stdout: /^1 event published, 1 was/, stderr: '1 was left out: the log has their ids, in events of other aggregates.\n' },
    'an id of another aggregate is only noticed when it is written',
  )
  t.strictSame(await written(), ['e1', 'e2', 'e3', 'a', 'b'])
  await recordDiscard(folder.documents, 'integrity', 3, 'sent by mistake')
  for (const flags of [['--dry-run'], []]) t.match(await run([like('instead', 2)], ...flags), { code: 0 }, 'in place of a discarded one')
  t.match(await run([like('again', 2)]), { code: 1, stderr: /"instead" \(at position 6\)/ })
}
