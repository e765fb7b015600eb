import t from 'tap'
import { hold } from './hold.js'
import { hostileRequests } from './requests.js'

/** These took 130 to 1,430 ms each. */
const ONCE_DEAR =
  /resources\/read, uri: brackets|icons: a long|(?:_meta|experimental|context\.arguments): many fields|ask, (?:prev|context\.prev): a long/

const OF_JOBS = /^POST \/ask\/jobs, a question of/

/** One in 23 of the others: over all, every place meets every kind of text. The slow tests send all. */
await t.test('no input costs more than 50 cached reads, and no error is longer than 4 KB', async (t) => {
  await hold(
    t,
    [...hostileRequests()].filter(({ name }, n) => n % 23 === 0 || ONCE_DEAR.test(name) || OF_JOBS.test(name)),
  )
})
