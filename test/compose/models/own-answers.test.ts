/** What every surface makes of the answers of custom reads. */
import { mock } from 'node:test'
import t from 'tap'
import { z } from 'zod'
import type { Read } from '../../../src/compose/models/define-models.js'
import { modelSet } from '../../../src/compose/models/model-set.js'
import { classifyError } from '../../../src/contract/errors.js'
import { Localizer } from '../../../src/contract/locale.js'
import { PublicUrls } from '../../../src/contract/public-urls.js'
import { gardening } from './fixture.js'

const context = {
  model: () => {
    throw new Error('reads nothing')
  },
  versionOf: () => 1,
  localizer: new Localizer('en'),
  urls: new PublicUrls('vitrine.example'),
}

function answerOf(run: Read['run']): Promise<unknown> {
  const read = modelSet([gardening({ read: { run } })]).reads.at(-1)
  if (read === undefined) throw new Error('there is no read')
  return read.run(context, { bedId: 'b_1' })
}

t.test('a read that never ends is a timeout', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const answer = answerOf(() => new Promise(() => {}))
  mock.timers.tick(5000)
  await t.rejects(answer, { error: 'timeout', status: 504, message: 'x_gardens_get_bed took longer than 5 seconds.' })
})

t.test('only what the output names is answered', async (t) => {
  t.strictSame(await answerOf(async () => ({ title: 'Roses', creatorId: 'u_1' })), { title: 'Roses' })
})

t.test('an answer is plain: it says the same each time it is read', async (t) => {
  let read = 0
  const toJSON = () => 'a'.repeat(++read === 1 ? 1 : 5_000_000)
  const open = { read: { output: z.object({ title: z.any() }), run: async () => ({ title: { toJSON } }) } }
  const answer = await modelSet([gardening(open)])
    .reads.at(-1)
    ?.run(context, { bedId: 'b_1' })
  t.strictSame(answer, { title: 'a' })
  t.equal(JSON.stringify(answer), '{"title":"a"}')
})

t.test('another shape than the output is a failure of ours, and says where', async (t) => {
  const error = await answerOf(async () => ({ title: 5 })).then(
    () => null,
    (error: unknown) => error,
  )
  t.match(error, { message: /^the answer of x_gardens_get_bed does not match its output: title: / })
  t.match(classifyError(error), { error: 'internal_error', status: 500 })
})
