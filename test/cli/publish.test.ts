import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { vitrine } from '../harness/command.js'
import { DataFolder } from '../harness/data-folder.js'
import { liked, poison, published, registered, type Told } from '../spec/events.js'
import { Script } from '../spec/script.js'

const linesOf = (...told: Told[]): string[] => new Script().write(...told).map(({ payload }) => payload)
const GOOD = linesOf(registered('ada'), published('maze', { by: 'ada', title: { en: 'Maze \u2028 of lines' } }), liked('maze', 'ben'))

await t.test('publish', async (t) => {
  const folder = await DataFolder.open(t)
  const publish = (file: string, ...args: string[]) => vitrine(['publish', file, '--data-dir', folder.path, ...args])
  const file = async (name: string, lines: readonly string[], end = '\n'): Promise<string> => {
    const path = join(folder.path, name)
    await writeFile(path, lines.join(end))
    return path
  }
  const count = async () => (await folder.records()).length

  await t.test('writes nothing if a single line is bad, and says which', async (t) => {
    const bad = [
      ...GOOD,
      '',
      'not json',
      '[]',
      'null',
      '{"id":"x"}',
      ...linesOf(poison(registered('ben'))),
      '{"specversion":"1.0","id":"x","source":"/x","type":"creator.abducted.v1","subject":"creator/x","time":"2026-01-01T00:00:00Z","sequence":1,"data":{}}',
      JSON.stringify({ ...JSON.parse(GOOD[0] ?? ''), id: 'future', time: '2999-01-01T00:00:00Z' }),
    ]
    const { code, stdout, stderr } = await publish(await file('bad.ndjson', bad))
    t.strictSame([code, stdout], [1, ''])
    const complaints = stderr.trimEnd().split('\n')
    t.strictSame(
      complaints.slice(0, -1).map((line) => Number(/^line (\d+): ./.exec(line)?.[1])),
      [5, 6, 7, 8, 9, 10, 11],
    )
    t.match(stderr, /line 10: unknown type "creator.abducted.v1"/)
    t.match(complaints.at(-1), 'Nothing was published.')
    t.equal(await count(), 0)
  })

  await t.test('takes an unknown type when told so: its sequence is no gap then', async (t) => {
    const unknown = JSON.stringify({ ...JSON.parse(GOOD[0] ?? ''), id: 'unknown', type: 'creator.abducted.v1', sequence: 2 })
    const path = await file('unknown.ndjson', [unknown])
    t.match(await publish(path, '--dry-run'), { code: 1 })
    t.match(await publish(path, '--dry-run', '--unknown-types'), { code: 0, stdout: '1 event is fit to be published.\n' })
  })

  await t.test('complains in JSON to programs', async (t) => {
    const { code, stdout, stderr } = await publish(await file('one-bad.ndjson', [...GOOD, '{']), '--json')
    t.strictSame([code, stderr], [1, ''])
    t.match(JSON.parse(stdout), { complaints: [{ line: 4, reason: /./ }] })
  })

  await t.test('does not print a thousand complaints', async (t) => {
    const { stderr } = await publish(await file('very-bad.ndjson', Array<string>(1000).fill('x')))
    t.ok(stderr.split('\n').length < 30)
    t.match(stderr, /980 more/)
  })

  await t.test('checks without writing when asked to', async (t) => {
    const { code, stdout } = await publish(await file('good.ndjson', GOOD), '--dry-run')
    t.strictSame([code, stdout, await count()], [0, '3 events are fit to be published.\n', 0])
  })

  await t.test('writes a good file', async (t) => {
    const { code, stdout, stderr } = await publish(await file('good.ndjson', GOOD, '\r\n'))
    t.strictSame([code, stdout, stderr], [0, '3 events published, 0 were there already. The log ends at 3.\n', ''])
    t.strictSame(
      (await folder.records()).map(({ id, subject, payload }) => [id, subject, payload]),
      GOOD.map((line) => [JSON.parse(line).id, JSON.parse(line).subject, line]),
      'to the letter, in its order',
    )
  })

  await t.test('says what is missing, and which type was probably meant', async (t) => {
    const [event, creation] = [JSON.parse(GOOD[2] ?? ''), JSON.parse(GOOD[1] ?? '')]
    const table: [event: object, complaint: string][] = [
      [
        { id: 'x' },
        `envelope: specversion: expected "1.0"; ${['source', 'type', 'subject', 'time'].map((field) => `${field}: expected string, received undefined`).join('; ')}; and 2 more`,
      ],
      [{ ...event, id: undefined }, 'envelope: id: expected string, received undefined'],
      [{ ...event, subject: 7 }, 'envelope: subject: expected string, received number'],
      [{ ...event, data: { creationId: 'maze' } }, 'data: userId: expected string, received undefined'],
      [{ ...event, data: undefined }, 'envelope: data: expected nonoptional, received undefined'],
      [{ ...event, type: 'creation.likd.v1' }, 'unknown type "creation.likd.v1" (did you mean "creation.liked.v1"?)'],
      [{ ...event, type: 'creation.liked' }, 'unknown type "creation.liked" (did you mean "creation.liked.v1"?)'],
      [{ ...creation, type: 'creation.publishd.v1' }, 'unknown type "creation.publishd.v1" (did you mean "creation.published.v1"?)'],
      [{ ...creation, type: 'planet.discovered.v1' }, 'unknown type "planet.discovered.v1"'],
    ]
    const { stdout } = await publish(
      await file(
        'incomplete.ndjson',
        table.map(([line]) => JSON.stringify(line)),
      ),
      '--json',
    )
    t.strictSame(
      JSON.parse(stdout).complaints.map(({ reason }: { reason: string }) => reason),
      table.map(([, complaint]) => complaint),
    )
  })

  await t.test('a dry run says what the log has, and what is missing', async (t) => {
    const like = (id: string, sequence: number) => ({ ...JSON.parse(GOOD[2] ?? ''), id, sequence })
    const dryRun = async (...events: object[]) =>
      publish(
        await file(
          'next.ndjson',
          events.map((event) => JSON.stringify(event)),
        ),
        '--dry-run',
      )
    t.match(await dryRun(like('a', 3), like('b', 4)), { code: 0, stdout: '2 events are fit to be published.\n', stderr: '' })
    t.match(await dryRun(JSON.parse(GOOD[2] ?? ''), like('a', 3)), {
      code: 0,
      stdout: '2 events are fit to be published. 1 is in the log already.\n',
      stderr: '',
    })
    t.match(
      await dryRun(like('a', 5), like('b', 7)),
      { code: 0, stderr: 'creation/maze: missing after this: sequence 3-4, 6\n' },
      'a gap may be filled later',
    )
    t.equal(await count(), 3)
  })

  await t.test('a dry run creates no log where there is none', async (t) => {
    const nowhere = join(folder.path, 'nowhere')
    t.match(await vitrine(['publish', await file('good.ndjson', GOOD), '--dry-run', '--data-dir', nowhere]), { code: 0, stderr: '' })
    t.notOk(existsSync(nowhere))
  })

  await t.test('does no harm when done twice, even within one file', async (t) => {
    const { code, stdout } = await publish(await file('again.ndjson', [...GOOD, ...GOOD]), '--json')
    t.equal(code, 0)
    t.match(JSON.parse(stdout), { events: 6, appended: 0, duplicates: 6, last: 3 })
    t.equal(await count(), 3)
  })

  await t.test('reads standard input', async (t) => {
    const more = JSON.stringify({ ...JSON.parse(GOOD[2] ?? ''), id: 'e99', sequence: 3, data: { creationId: 'maze', userId: 'cleo' } })
    const { code, stdout } = await vitrine(['publish', '-', '--data-dir', folder.path], { input: `\n${more}` })
    t.strictSame([code, stdout], [0, '1 event published, 0 were there already. The log ends at 4.\n'])
  })

  await t.test('an empty file is nothing to publish', async (t) => {
    t.match(await publish(await file('empty.ndjson', [])), { code: 0, stdout: /^0 events .* The log ends at 4\.\n$/ })
  })

  await t.test('a line that never ends is one line that names it', async (t) => {
    const { code, stderr } = await publish(await file('endless.ndjson', [...GOOD, 'x'.repeat(65 * 1024 * 1024)]))
    t.equal(code, 2)
    t.match(stderr, /^vitrine publish: cannot read [^\n]+: line 4 is longer than 67108864 characters\n$/)
  })

  await t.test('a file that cannot be read is one line', async (t) => {
    for (const path of [join(folder.path, 'missing.ndjson'), folder.path]) {
      const { code, stderr } = await publish(path)
      t.equal(code, 2)
      t.match(stderr, /^vitrine publish: cannot read [^\n]+\n$/)
    }
  })
})
