import t from 'tap'
import { projectionOf, ReplayFixture } from '../engine/replay/fixture.js'
import { vitrine } from '../harness/command.js'
import { DataFolder } from '../harness/data-folder.js'
import { but, edited, liked, played, published, registered } from '../spec/events.js'

await t.test('explain prints the history of one document', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const { code, stdout } = await vitrine(['explain', 'creation/maze', '--projection', 'feed', '--data-dir', fixture.folder.path])
  t.equal(code, 0)
  t.match(stdout, /creation\.liked {2}creation\/maze {2}sequence \d+\n(.*\n)*? +likes: 0 → 1/)
  t.match(stdout, /── now\n\{/)
  const unknown = await vitrine(['explain', 'creation/nowhere', '--data-dir', fixture.folder.path])
  t.same([unknown.code, unknown.stdout], [1, 'No event of the log speaks of creation/nowhere.\n'])
  t.match(await vitrine(['explain', 'planets', '--data-dir', fixture.folder.path]), {
    code: 2,
    stderr: /name one aggregate such as creation/,
  })
})

await t.test('explain knows creators by handle and creations by address', async (t) => {
  const folder = await DataFolder.of(t, registered('u_1', { handle: 'Ada' }), published('c_1', { by: 'u_1', slug: 'maze' }))
  const explain = (name: string) => vitrine(['explain', name, '--projection', 'feed', '--json', '--data-dir', folder.path])
  t.match(await explain('ada/maze'), { code: 2, stderr: /^vitrine explain: the feed model, which knows addresses, is not built yet/ })
  await folder.project()
  const names = {
    'ada/maze': 'creation/c_1',
    '@Ada/maze': 'creation/c_1',
    '@ada': 'creator/u_1',
    'http://ada.localhost:3001/maze': 'creation/c_1',
    'https://ada.vitrine.example/': 'creator/u_1',
    'http://127.0.0.1:3001/@ada/maze?locale=de': 'creation/c_1',
  }
  for (const [name, aggregate] of Object.entries(names)) {
    const { code, stdout } = await explain(name)
    t.equal(code, 0, name)
    t.match(JSON.parse(stdout), { aggregate, projections: [{ projection: 'feed' }] })
  }
  t.match(await explain('planet/earth'), { code: 2, stderr: 'vitrine explain: no creation has the address "planet/earth"\n' })
  t.match(await explain('@ben'), { code: 2, stderr: 'vitrine explain: no creator has the handle "@ben"\n' })
})

await t.test('explain shows a late, a repeated and a conflicting event where they arrived; replay has them from there on', async (t) => {
  const fixture = await ReplayFixture.open(
    t,
    registered('ada'),
    published('c1', { by: 'ada', title: { en: 'Draft' } }),
    but(liked('c1', 'ben'), { sequence: 3 }),
    but(edited('c1', { title: { en: 'Final' } }), { sequence: 2 }),
    but(edited('c1', { title: { en: 'Other' } }), { sequence: 2 }),
    but(played('c1'), { sequence: 4, type: 'creation.\u009bmade.v1' }),
  )
  const explained = await vitrine(['explain', 'creation/c1', '--projection', 'feed', '--data-dir', fixture.folder.path])
  const steps = explained.stdout.split('── now')[0]?.replaceAll(/\d{4}-\S+Z/g, 'TIME') ?? ''
  t.match(steps, /\n {8}3 {2}TIME {2}creation\.liked {2}creation\/c1 {2}sequence 3\n/)
  t.match(steps, /\n {8}4 {2}TIME {2}creation\.edited {2}creation\/c1 {2}sequence 2\n( {13}.*\n)*? +title\.en: "Draft" → "Final"\n/)
  t.match(steps, /\n {8}5 .* sequence 2\n {13}changed nothing\n {8}6 /, 'the first counts')
  t.match(
    steps,
    /\n {8}6 {2}TIME {2}creation\.\\u009bmade\.v1 {2}creation\/c1 {2}sequence 4 {2}\(an unknown type\)\n/,
    'nothing controls the terminal',
  )
  const titleAt = async (position: number) => {
    const { stdout } = await vitrine(['replay', 'feed', '--key', 'c1', '--until', String(position), '--data-dir', fixture.folder.path])
    return JSON.parse(stdout).title
  }
  t.strictSame([await titleAt(3), await titleAt(4), await titleAt(6)], [{ en: 'Draft' }, { en: 'Final' }, { en: 'Final' }])
})

await t.test('verify compares the documents of one aggregate; explain says where the live one differs', async (t) => {
  const fixture = await ReplayFixture.open(t)
  const dir = ['--data-dir', fixture.folder.path]
  t.match(await vitrine(['verify', 'all', '--of', 'creation/maze', ...dir]), { code: 0, stdout: /^feed, \w+\/maze: as the log says\.$/m })
  t.match(await vitrine(['explain', 'creation/maze', '--whole-log', ...dir]), { code: 0, stdout: /likes: 0 → 1/ })
  const feed = projectionOf('feed')
  const [documents] = feed.collections
  if (documents === undefined) return t.fail('it has documents')
  await fixture.damage(feed, documents, 'maze', (doc) => ({ ...doc, plays: 700 }))
  const verified = await vitrine(['verify', 'feed', '--of', 'creation/maze', ...dir])
  t.match(verified, { code: 1, stdout: /maze: differs\.\n {6}plays: 700 in the model, 5 by the log/ })
  t.match(
    (await vitrine(['explain', 'creation/maze', ...dir])).stdout,
    /── the live document differs.*\n {3}plays: 700 in the model, 5 by these events/,
  )
  t.match(await vitrine(['verify', 'feed', '--of', 'creation/maze', '--repair', ...dir]), { code: 2, stderr: /leave out --of/ })
})
