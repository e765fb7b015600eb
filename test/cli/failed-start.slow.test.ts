/** Workers that cannot start: `serve` says why and ends. */
import t from 'tap'
import { FILES, folderWithEvents, saysItCannotRead, startWorkersWithout } from '../harness/failed-start.js'

for (const [who, file] of Object.entries(FILES)) {
  await t.test(`a file that ${who} cannot read`, async (t) => {
    const { code, stdout, stderr } = await startWorkersWithout(file, await folderWithEvents(t))
    t.strictSame([code, stdout], [2, ''])
    t.match(stderr, saysItCannotRead(file), 'one line that names it')
  })
}
