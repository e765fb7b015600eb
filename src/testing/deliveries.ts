import type { LogRecord } from '../ports/event-log.js'

type Batches = LogRecord[][]

/** Other ways in which the same events may come. */
export function* deliveries(records: readonly LogRecord[]): Generator<[how: string, batches: Batches]> {
  yield ['every event twice', [records.flatMap((record) => [record, record])]]
  yield ['one event at a time', records.map((record) => [record])]
  for (let cut = 1; cut < records.length; cut++) yield [`cut after event ${cut}`, [records.slice(0, cut), records.slice(cut)]]
  for (const order of orders(records.length)) yield [`in the order ${order.map((i) => i + 1).join(', ')}`, [inOrder(records, order)]]
}

/** The last event first. */
export const backwards = (records: readonly LogRecord[]): LogRecord[] => inOrder(records, [...records.keys()].reverse())

const SHUFFLES = 8

/** Backwards, and some others, the same in every run. */
function orders(length: number): number[][] {
  const all = [...Array(length).keys()]
  const shuffled = Array.from({ length: SHUFFLES }, (_, seed) => all.toSorted((a, b) => noise(seed, a) - noise(seed, b)))
  const others = new Map([all.toReversed(), ...shuffled].map((order) => [order.join(), order]))
  others.delete(all.join())
  return [...others.values()]
}

/** A number that looks like chance. */
const noise = (seed: number, i: number): number => (Math.sin(seed * 101 + i * 37 + 1) * 10_000) % 1

/** Positions grow in every log. */
const inOrder = (records: readonly LogRecord[], order: readonly number[]): LogRecord[] =>
  order.flatMap((from, to) => {
    const [record, place] = [records[from], records[to]]
    return record === undefined || place === undefined ? [] : [{ ...record, position: place.position }]
  })
