import t from 'tap'
import { hold } from './hold.js'
import { hostileRequests } from './requests.js'

await t.test('every input of every operation, with everything that is dear for careless code', async (t) => {
  await hold(t, hostileRequests())
})
