/** `vitrine doctor` names what upstream lost or sent twice, and its remedy is true. */
import t from 'tap'
import { vitrine } from '../harness/command.js'
import { DataFolder } from '../harness/data-folder.js'
import { examined } from '../harness/doctor.js'
import { but, edited, liked, played, published, registered } from '../spec/events.js'
import { Script } from '../spec/script.js'

t.test('sequences that are missing are named, and it is true that they can be published again', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  const liking = (sequence: number) => but(liked('c1', `u${sequence}`), { sequence, id: `like-${sequence}` })
  await folder.append(script.write(registered('ada'), published('c1', { by: 'ada' }), liking(9)))
  await folder.project()
  const { code, bad } = await examined(folder.path)
  t.equal(code, 1)
  t.strictSame(bad, [
    {
      check: 'upstream sequences, missing',
      healthy: false,
      finding: '2 aggregates, 1 with gaps, 0 late events, 0 duplicates, 0 conflicts; creation/c1 misses 2-8, since position 3',
      remedy: 'publish the missing events again, in any order, at any time: each is folded when it comes',
    },
  ])
  await folder.append(script.write(...[5, 3, 8, 2, 4, 7, 6].map(liking)))
  await folder.project()
  t.strictSame(await examined(folder.path), { code: 0, bad: [] })
  const { stdout } = await vitrine(['doctor', '--data-dir', folder.path])
  t.match(stdout, /^ok +upstream sequences: 2 aggregates, 0 with gaps, 7 late events, 0 duplicates, 0 conflicts$/m)
  t.equal((await vitrine(['verify', 'all', '--data-dir', folder.path])).code, 0)
})

t.test('the model of one creation is whole, also once its words have been replaced', async (t) => {
  const folder = await DataFolder.open(t)
  const script = new Script()
  await folder.append(script.write(registered('ada'), published('c1', { by: 'ada' })))
  await folder.project()
  await folder.append(script.write(edited('c1', { title: { en: 'Other words' } })))
  await folder.project()
  t.strictSame(await examined(folder.path), { code: 0, bad: [] })
})

t.test('more gaps than are named or kept are counted', async (t) => {
  const folder = await DataFolder.open(t)
  const even = Array.from({ length: 1005 }, (_, i) => but(liked('c1', 'ben'), { sequence: 2 * i + 2 }))
  const others = Array.from({ length: 11 }, (_, i) => but(registered(`u${i}`), { sequence: 3 }))
  const script = new Script()
  await folder.append(script.write(...even, ...others))
  await folder.project()
  const { bad } = await examined(folder.path)
  t.strictSame(
    bad.map(({ check }) => check),
    ['upstream sequences, missing', 'upstream sequences, given up'],
  )
  t.match(bad[0]?.finding, /^12 aggregates, 12 with gaps, .*, 5 missing sequences given up; /)
  t.match(bad[0]?.finding, '; creation/c1 misses 11, 13, 15, 17, 19, 21, 23, 25, 27, 29 and more, 1000 in all, since position 1; ')
  t.match(bad[0]?.finding, /; creator\/u8 misses 1-2, since position \d+; 2 more aggregates$/)
  t.match(bad[1], { finding: /; creation\/c1 misses 5 more$/, remedy: /publish these events again, too/ })

  const given = [
    but(published('c1', { by: 'ada' }), { sequence: 1 }),
    but(liked('c1', 'cleo'), { sequence: 3 }),
    but(played('c1'), { sequence: 5 }),
  ]
  const named = [but(played('c1'), { sequence: 11 }), but(played('c1'), { sequence: 13, type: 'creation.never_used.v1' })]
  await folder.append(script.write(...given, ...named))
  await folder.project()
  const { bad: left } = await examined(folder.path)
  t.match(left[0]?.finding, /, 5 late events, .*, 2 missing sequences given up; creation\/c1 misses 15, /, 'an unknown type closes a gap')
  const { stdout } = await vitrine(['replay', 'feed', '--key', 'c1', '--data-dir', folder.path])
  t.match(JSON.parse(stdout), { published: true, likes: 2, plays: 1 }, 'only the play that was given up is not counted')

  const rest = Array.from({ length: 998 }, (_, i) => but(liked('c1', 'ben'), { sequence: 2 * i + 15 }))
  await folder.append(script.write(...rest))
  await folder.project()
  const { bad: last } = await examined(folder.path)
  t.match(last[1], { check: 'upstream sequences, given up', finding: /; creation\/c1 misses 2 more$/ }, 'still named')
})

t.test('two events with one sequence: the commands that are shown mend it, whichever is wrong', async (t) => {
  for (const [wrong, title] of [
    [3, 'First'],
    [2, 'Second'],
  ] as const) {
    const folder = await DataFolder.open(t)
    const first = published('c1', { by: 'ada', title: { en: 'First' } })
    const second = but(published('c1', { by: 'ada', title: { en: 'Second' } }), { sequence: 1 })
    await folder.append(new Script().write(registered('ada'), first, second))
    await folder.project()
    const { bad } = await examined(folder.path)
    t.match(bad, [
      {
        check: 'upstream sequences, conflict',
        finding: /, 1 conflict; creation\/c1 has two events with sequence 1, the second at position 3$/,
      },
    ])
    t.equal(bad.length, 1)
    const commands = [...(bad[0]?.remedy ?? '').matchAll(/"vitrine ([^"]+)"/g)].map(([, command = '']) => command.split(' '))
    t.strictSame(commands, [
      ['explain', 'creation/c1'],
      ['dead-letters', 'discard', 'all', '3', '--folded', '--reason', '…'],
      ['rebuild', 'all'],
    ])
    for (const command of commands) {
      const args = command.map((word) => (word === '3' ? String(wrong) : word))
      t.match(await vitrine([...args, '--data-dir', folder.path]), { code: 0 }, args.join(' '))
    }
    t.strictSame(await examined(folder.path), { code: 0, bad: [] })
    t.equal((await vitrine(['verify', 'all', '--data-dir', folder.path])).code, 0)
    const { stdout } = await vitrine(['replay', 'feed', '--key', 'c1', '--data-dir', folder.path])
    t.match(JSON.parse(stdout), { title: { en: title } })
  }
})

t.test('a record of arrivals of another version says nothing', async (t) => {
  const folder = await DataFolder.of(t, but(played('c1'), { sequence: 99 }))
  await folder.project()
  await folder.documents.promote(await folder.documents.createGeneration('integrity', 1, []))
  const { bad } = await examined(folder.path)
  t.match(bad, [{ check: 'model integrity', finding: /^outdated/ }])
  t.equal(bad.length, 1)
  t.match(JSON.parse((await vitrine(['status', '--json', '--data-dir', folder.path])).stdout), { integrity: null })
})
