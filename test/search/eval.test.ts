import t from 'tap'
import { score, searches, WAYS } from './eval/evaluate.js'

/** Shares of the questions, of each half. Below these something has become worse. */
const FLOORS: Record<string, Record<string, number>> = {
  'the demo': { search: 0.86, ask: 0.77, 'ask, nearest too': 0.81 },
  'another community': { search: 0.86, ask: 0.75, 'ask, nearest too': 0.8 },
}

for (const { name, service, questions, stop } of await searches()) {
  for (const [way, find] of Object.entries(WAYS)) {
    await t.test(`${name}, ${way}`, async (t) => {
      const { lines, shares } = await score(questions, (question) => find(service, question))
      for (const line of lines) t.comment(line)
      for (const [half, share] of Object.entries(shares)) t.ok(share >= (FLOORS[name]?.[way] ?? 1), `${half}: ${share.toFixed(2)}`)
    })
  }
  await stop()
}
