/** `npm run dev` checks types beside the program: an error is told, and the change is served all the same. */
import t from 'tap'
import { COMMUNITY } from '../harness/community.js'
import { DataFolder } from '../harness/data-folder.js'
import { copyCheckout, Development, hosts } from './development.js'

await t.test('a type error', async (t) => {
  const data = await DataFolder.of(t, ...COMMUNITY)
  const development = Development.start(t, await copyCheckout(), data.path, await hosts())
  await development.says('Changes are served as you save them.')
  await development.edit('src/lib/signals.ts', (text) => `${text}export const wrong: string = 3\n`)
  await development.says('Serving src/lib/signals.ts')
  await development.says('TS2322')
  await development.restore('src/lib/signals.ts')
  await development.says('Types are right again.')
  t.equal(await development.end('SIGTERM'), 0)
})
