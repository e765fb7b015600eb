import t from 'tap'
import { vitrine } from '../serving/command.js'
import { DataFolder } from '../serving/data-folder.js'

const seed = (folder: DataFolder, ...args: string[]) =>
  vitrine(['seed', '--data-dir', folder.path, '--creators', '12', '--creations', '40', ...args])

await t.test('seeding is deterministic', async (t) => {
  const [one, two, other] = [await DataFolder.open(t), await DataFolder.open(t), await DataFolder.open(t)]
  const first = await seed(one)
  t.match(first, { code: 0, stderr: '', stdout: /^\d+ events written, the log ends at \d+\.\n$/ })
  await seed(two)
  await seed(other, '--seed', '2')
  const records = await one.records()
  t.ok(records.length > 100, `${records.length} events`)
  t.ok(JSON.stringify(await two.records()) === JSON.stringify(records), 'two folders, equal logs')
  t.notOk(JSON.stringify(await other.records()) === JSON.stringify(records), 'another seed, another community')

  await t.test('and seeding twice adds nothing', async (t) => {
    const { code, stdout } = await seed(one, '--json')
    t.equal(code, 0)
    t.strictSame(JSON.parse(stdout), { appended: 0, duplicates: records.length, last: records.length })
  })
})

await t.test('nobody is a community, too', async (t) => {
  const folder = await DataFolder.open(t)
  const { code } = await vitrine(['seed', '--data-dir', folder.path, '--creators', '0', '--creations', '0'])
  t.equal(code, 0)
})
