/** `vitrine status`, once and on a screen, and what commands say where there is nothing to look at. */

import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { fitToScreen } from '../../src/cli/screen.js'
import { table } from '../../src/cli/table.js'
import { folderWith } from '../adapters/folder.js'
import { RunningCommand, vitrine } from '../harness/command.js'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { Serving } from '../harness/program.js'
import { but, edited, liked, played, poison, published, registered, type Told } from '../spec/events.js'
import { Script } from '../spec/script.js'

const MODELS = ['feed', 'tags', 'profiles', 'shares', 'integrity']

await t.test('status', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  const status = async () => JSON.parse((await vitrine(['status', '--json', '--data-dir', folder.path])).stdout)

  await t.test('of nothing', async (t) => {
    const found = await status()
    t.strictSame(found.log, { first: 1, last: 0 })
    t.match(
      found.projections,
      MODELS.map((projection) => ({ projection, state: 'missing', generation: null, position: 0, lag: 0 })),
    )
    const { code, stdout } = await vitrine(['status', '--data-dir', folder.path])
    t.equal(code, 0)
    t.match(stdout, /^The log is empty\.\n/)
  })

  await folder.append(script.write(...COMMUNITY, poison(played('maze')), liked('maze', 'dora')))
  await folder.project()
  await folder.append(script.write(played('tides'), played('tides')))

  await t.test('of models that are behind, with something parked', async (t) => {
    const length = COMMUNITY.length + 2
    const found = await status()
    t.strictSame(found.log, { first: 1, last: length + 2 })
    t.match(
      found.projections,
      // Ten seconds after the projector has left, they are leaderless.
      MODELS.map((projection) => ({ projection, state: /^(live|leaderless)$/, generation: 1, position: length, lag: 2 })),
    )
    t.match(found.projections[0], { parked: 1, degraded: true, tallies: { parked: 1 } })
    t.match(found.projections[1], { parked: 0 }, 'who does not follow plays is not concerned')
  })

  await t.test('for people', async (t) => {
    const { stdout } = await vitrine(['status', '--data-dir', folder.path])
    t.match(stdout, new RegExp(`^The log holds positions 1 to ${COMMUNITY.length + 4}\\.\n`))
    for (const model of MODELS) {
      const state = model === 'feed' ? '(degraded|leaderless)' : '(live|leaderless)'
      t.match(stdout, new RegExp(`^${model} +${state} +v\\d+ g1 +${COMMUNITY.length + 2} +2 `, 'm'))
    }
    t.match(stdout, /^feed .* 1$/m)
    t.match(stdout, /^feed is degraded: "vitrine dead-letters list feed" says why\.$/m)
    t.notMatch(stdout, /tags is degraded/)
    t.match(stdout, /^Upstream sequences: \d+ aggregates, 0 with gaps, 0 late events, 0 duplicates, 0 conflicts\.$/m)
    t.notMatch(stdout, /vitrine doctor/)
  })
})

t.test('status names what upstream has not sent, sent late, and sent twice under one sequence', async (t) => {
  const folder = await DataFolder.open(t)
  const sequence = (told: Told, number: number) => but(told, { sequence: number })
  await folder.append(
    new Script().write(
      registered('ada'),
      published('gap', { by: 'ada' }),
      sequence(liked('gap', 'ben'), 9),
      sequence(liked('gap', 'cleo'), 11),
      published('late', { by: 'ada' }),
      sequence(liked('late', 'ben'), 3),
      sequence(edited('late', { title: { en: 'In time' } }), 2),
      published('twice', { by: 'ada' }),
      sequence(published('twice', { by: 'ben' }), 1),
    ),
  )
  await folder.project()
  const { stdout } = await vitrine(['status', '--data-dir', folder.path])
  const [, found] = stdout.split('Upstream sequences: ')
  t.equal(
    found,
    [
      '4 aggregates, 1 with gaps, 1 late event, 0 duplicates, 1 conflict.',
      'creation/gap misses 2-8, 10, since position 3.',
      'creation/twice has two events with sequence 1, the second at position 9.',
      'creation/late got 1 late event, the newest at position 7.',
      '"vitrine doctor" says what to do.\n',
    ].join('\n'),
  )
  const json = JSON.parse((await vitrine(['status', '--json', '--data-dir', folder.path])).stdout)
  t.strictSame(json.integrity, {
    ...{ aggregates: 4, gaps: 1, givenUp: 0, late: 1, duplicates: 0, conflicts: 1 },
    missing: [
      {
        aggregate: 'creation/gap',
        ranges: [
          [2, 8],
          [10, 10],
        ],
        sequences: 8,
        givenUp: 0,
        since: 3,
      },
    ],
    lateArrivals: [{ aggregate: 'creation/late', late: 1, position: 7 }],
    conflicting: [{ aggregate: 'creation/twice', sequence: 1, position: 9, eventId: 'e9' }],
  })
})

function watching(t: Test, folder: DataFolder, args: string[], window?: { columns: number; rows: number }): RunningCommand {
  const command = new RunningCommand(['status', '--watch', '--data-dir', folder.path, ...args], window && { window })
  t.teardown(() => {
    command.signal('SIGINT')
    return command.ended
  })
  return command
}

t.test('status --watch goes on until it is interrupted', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  await folder.append(script.write(...COMMUNITY))
  await folder.project()
  const command = watching(t, folder, [])
  await command.until('stdout', new RegExp(`The log holds positions 1 to ${COMMUNITY.length}\\.`))
  await folder.append(script.write(played('tides')))
  await command.until('stdout', new RegExp(`The log holds positions 1 to ${COMMUNITY.length + 1}\\.`))
  await command.until('stdout', /feed +(live|leaderless) +v\d+ g1 +\d+ +1 /)
  command.signal('SIGINT')
  t.match(await command.ended, { code: 0, stderr: '' })
  t.notMatch(command.stdout, '\u001b', 'nothing for a terminal where there is none')
})

t.test('on a terminal status --watch fills the window, large or small', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY)
  await folder.project()
  const command = watching(t, folder, [], { columns: 20, rows: 3 })
  const esc = '\u001b\\['
  await command.until('stdout', new RegExp(`^${esc}\\?25l${esc}2J${esc}H[^\\n]{20}${esc}K\\n${esc}K${esc}J`))
  command.resize({ columns: 200, rows: 20 })
  await command.until('stdout', new RegExp(`${esc}2J${esc}H.*The log holds positions`))
  command.signal('SIGTERM')
  t.match(await command.ended, { code: 0, stdout: new RegExp(`${esc}\\?25h\\n$`) }, 'and gives the cursor back')
})

t.test('status --watch shows what status shows, while a service runs', async (t) => {
  const folder = await DataFolder.of(t, ...COMMUNITY, poison(played('maze')))
  const serving = await Serving.start(t, folder.path, ['--admin-token', 'a token only tests know'])
  await serving.ready()
  const command = watching(t, folder, [])
  await command.until('stdout', /feed +degraded +v\d+ g1 .* 1\n/)
  const asJson = watching(t, folder, ['--json'])
  await asJson.until('stdout', /\n/)
  const asked = await fetch(`http://127.0.0.1:${serving.admin}/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer a token only tests know' },
    body: JSON.stringify({ action: 'rebuild', projection: 'shares', maxRate: 1 }),
  })
  t.equal(asked.status, 202)
  await command.until('stdout', /shares: rebuild is loading \(\d+ of \d+\)\./)
  await command.until('stdout', /shares: \d+ %, about \d+ s left at this pace\./)
  await asJson.until('stdout', /"phase":"loading".*\n/)
  for (const line of asJson.stdout.trimEnd().split('\n')) {
    t.strictSame(Object.keys(JSON.parse(line)), ['log', 'projections', 'integrity'])
  }
})

t.test('an event cannot send control characters to the terminal', async (t) => {
  t.strictSame(table(['a', 'b'], [['\u001b[2Jgone\n', '\u009b1m']]), ['a                    b', '\\u001b[2Jgone\\u000a  \\u009b1m'])
})

t.test('a screenful', async (t) => {
  const plain = (screen: string) => screen.replaceAll('\u001b[H', '').replaceAll('\u001b[K', '').replaceAll('\u001b[J', '')
  t.equal(plain(fitToScreen('one\ntwo', 80, 24)), 'one\ntwo')
  t.equal(plain(fitToScreen('a long line\nsecond', 6, 24)), 'a long\nsecond', 'nothing wraps')
  t.equal(plain(fitToScreen('1\n2\n3\n4', 80, 3)), '1\n2', 'nothing scrolls')
  t.equal(plain(fitToScreen('x', 80, 1)), 'x', 'however small the window')
  t.equal(plain(fitToScreen('one\ntwo', 0, 0)), 'one\ntwo', 'also where its size is unknown')
})

const LOOKING = [
  ['status'],
  ['status', '--watch'],
  ['doctor'],
  ['verify', 'all'],
  ['replay', 'feed'],
  ['explain', 'creation/c_81'],
  ['generations'],
  ['generations', '--prune'],
  ['dead-letters', 'list'],
  ['dead-letters', 'discarded'],
  ['rebuild', 'feed'],
  ['redact', 'creator/u_7'],
]

t.test('there is nothing to look at', async (t) => {
  const parent = folderWith()
  const empty = join(parent, 'empty')
  await mkdir(empty)
  for (const folder of [join(parent, 'mistyped'), empty]) {
    for (const args of LOOKING) {
      const complaint = `there is nothing at ${folder}: correct DATA_DIR (--data-dir), or let "vitrine serve" begin there`
      t.strictSame(
        await vitrine([...args, '--data-dir', folder]),
        { code: 2, signal: null, stdout: '', stderr: `vitrine ${args[0]}: ${complaint}\n` },
        args.join(' '),
      )
    }
  }
  t.strictSame(await readdir(parent), ['empty'])
  t.strictSame(await readdir(empty), [])
})

t.test('commands that begin something create the folder, with its parents', async (t) => {
  const parent = folderWith()
  const folder = join(parent, 'a', 'b', 'data')
  t.equal((await vitrine(['seed', '--creators', '2', '--creations', '3', '--data-dir', folder])).code, 0)
  t.equal((await vitrine(['status', '--data-dir', folder])).code, 0, 'a log is something to look at')
})

t.test('a folder that cannot be created is named in one line', { skip: !existsSync('/proc/self') && 'no /proc' }, async (t) => {
  for (const args of [['serve'], ['serve', '--demo'], ['seed']]) {
    const { code, stderr } = await vitrine([...args, '--data-dir', '/proc/nowhere/data'])
    t.equal(code, 2, args.join(' '))
    t.match(stderr, /^vitrine \w+: [^\n]*\/proc\/nowhere[^\n]*\n$/)
  }
})
