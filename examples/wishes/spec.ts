import { erases, given, happened } from 'vitrine/testing'
import { granted, made } from './events.js'
import wishes, { countWishes, listWishes } from './index.js'

const wish = (wishId: string, by: string) => happened(made, { wishId, creatorId: by, creationId: 'c_1', note: `Wish ${wishId}` })
const events = [wish('w_1', 'ann'), wish('w_2', 'ann'), wish('w_3', 'bob'), happened(granted, { wishId: 'w_1' })]

await given(wishes, ...events).then({
  wishes: { w_1: { granted: true }, w_2: { granted: false }, w_3: { note: 'Wish w_3' } },
  wishers: { ann: { open: 1 }, bob: { open: 1 } },
})
await given(wishes, ...events).answers(
  listWishes,
  { by: 'ann' },
  { items: [{ note: 'Wish w_2' }, { note: 'Wish w_1' }], next_cursor: null },
)
await given(wishes, ...events).answers(countWishes, { by: 'ann' }, { open: 1 })
await erases(wishes, 'ann', ...events)
