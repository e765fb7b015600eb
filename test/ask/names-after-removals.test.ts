/** A removal takes its names out of ask's memory, and costs the questions after it nothing. */
import t from 'tap'
import { getCreatorProfile } from '../../readmodels/profiles/public-reads.js'
import { getPopularTags } from '../../readmodels/tags/public-reads.js'
import { toQuestion } from '../../src/ask/request.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'
import { eventually } from '../ports/subject.js'
import { removed } from '../spec/events.js'

await t.test('the names are not read again after a removal, and the removed one is gone', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const { operations, ask } = service
  let pages = 0
  const execute = operations.execute.bind(operations)
  operations.execute = (operation, input, ...more) => {
    if (operation.name === 'get_community_feed' && 'limit' in input && input.limit === 48) pages += 1
    return execute(operation, input, ...more)
  }
  const answer = async () => (await ask.ask(toQuestion({ query: 'who made the garden maze?' }))).answer
  t.match(await answer(), /Ben/)
  t.ok([...ask.names.subjects()].includes('maze'))
  const read = pages
  t.ok(read > 0)
  await service.tell(removed('maze'))
  await eventually(async () => ![...ask.names.subjects()].includes('maze'))
  t.notMatch(await answer(), /garden maze/i)
  t.match((await ask.ask(toQuestion({ query: 'who made the tide clock?' }))).answer, /Ada/, 'the others are still found')
  t.equal(pages, read)
})

await t.test('cached answers about others are still found by their address', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const { answers } = service
  for (const handle of ['cleo', 'ada-l']) await answers.read(getCreatorProfile, { handle }, { url: `/of/${handle}` })
  t.match(answers.getCached('/of/cleo'), { operation: 'get_creator_profile' })
  await service.tell(removed('tides'))
  await eventually(async () => answers.stats.answers < 2)
  await Promise.all([answers.dropVoid(), answers.dropVoid()])
  // So that the versions are fresh.
  await answers.read(getPopularTags, {})
  t.match(answers.getCached('/of/cleo'), { operation: 'get_creator_profile' })
  t.equal(answers.getCached('/of/ada-l'), undefined)
})
