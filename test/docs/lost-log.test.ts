import t from 'tap'
import { ReplaceableLog } from '../harness/replaceable-log.js'
import { BEFORE, LOST, play } from './lost-log.js'

await t.test('the page on operating, as written: the embedded log came back older', async (t) => {
  const place = await ReplaceableLog.open(t, [...BEFORE, ...LOST])
  await play(t, {
    apiPort: (await place.serve()).api,
    run: (...args) => place.run(...args),
    goBack: async () => {
      await place.replaceLog(BEFORE)
      return (await place.serve()).api
    },
    caughtUp: () => place.caughtUp(),
  })
})
