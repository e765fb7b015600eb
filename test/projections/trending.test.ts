import t from 'tap'
import { addHeat, type Engagement, NO_HEAT, POWERS, SCALE_BITS, trendingKey, WEIGHTS, weightOf } from '../../readmodels/feed/trending.js'
import { DAWN, DAY } from '../spec/events.js'

const HALF_LIFE = 3 * DAY
const STEP = HALF_LIFE / 64
const EPOCH = Date.UTC(2024, 0, 1)

const kinds = Object.keys(WEIGHTS) as Engagement[]
const keyOf = (sum: bigint): number => trendingKey(sum.toString(16))

t.test('the committed table is 2^(k/64), rounded, by integers alone', async (t) => {
  t.equal(POWERS.length, 64)
  for (const [k, power] of POWERS.map(BigInt).entries()) {
    // power is the nearest integer to 2^(k/64) · 2^s exactly when (2·power ± 1)^64 lie around 2^(64 + 64·s + k).
    const target = 1n << (64n + 64n * BigInt(SCALE_BITS) + BigInt(k))
    t.ok((2n * power - 1n) ** 64n < target && target < (2n * power + 1n) ** 64n, `k = ${k}`)
  }
})

t.test('a half-life doubles the weight, to the bit', async (t) => {
  for (const kind of kinds)
    for (let step = 0; step < 130; step += 7) {
      const time = EPOCH + step * STEP
      t.equal(weightOf(kind, time + HALF_LIFE), 2n * weightOf(kind, time), `${kind} at step ${step}`)
      t.equal(keyOf(weightOf(kind, time + HALF_LIFE)), keyOf(weightOf(kind, time)) + 64)
    }
})

t.test('later never weighs less, and a step later weighs more', async (t) => {
  let before = weightOf('play', EPOCH)
  for (let step = 1; step <= 64 * 20; step++) {
    const now = weightOf('play', EPOCH + step * STEP)
    if (now <= before) t.fail(`step ${step}`)
    if (weightOf('play', EPOCH + step * STEP + STEP - 1) !== now) t.fail(`within step ${step}`)
    before = now
  }
  t.pass('1280 steps')
})

t.test('before the epoch counts as at the epoch', async (t) => {
  for (const time of [0, -1e15, EPOCH - 1]) t.equal(weightOf('like', time), weightOf('like', EPOCH))
  t.equal(weightOf('like', EPOCH), 4n << BigInt(SCALE_BITS))
})

t.test('the kinds weigh as decided', async (t) => {
  t.strictSame(WEIGHTS, { like: 4, play: 1, remix: 12, score: 2 })
  for (const kind of kinds) t.equal(weightOf(kind, DAWN), BigInt(WEIGHTS[kind]) * weightOf('play', DAWN), kind)
})

t.test('sums are exact: any order of adding, and adding then subtracting, give the same bits', async (t) => {
  const engagements = Array.from({ length: 200 }, (_, i) => weightOf(kinds[i % 4] ?? 'like', DAWN + ((i * 7919) % 1000) * DAY))
  const sum = (list: readonly bigint[]) => list.reduce((heat, by) => addHeat(heat, by), NO_HEAT)
  const expected = sum(engagements)
  t.equal(sum(engagements.toReversed()), expected)
  t.equal(sum(engagements.toSorted((a, b) => (a < b ? -1 : 1))), expected)
  t.equal(
    BigInt(`0x${expected}`),
    engagements.reduce((a, b) => a + b, 0n),
  )
  t.equal(
    engagements.reduce((heat, by) => addHeat(heat, -by), expected),
    NO_HEAT,
  )
})

t.test('the key is 64 · log2 of the sum, rounded down', async (t) => {
  t.equal(trendingKey(NO_HEAT), 0)
  for (let exponent = 0; exponent < 2000; exponent += 37) t.equal(keyOf(1n << BigInt(exponent)), exponent * 64, `2^${exponent}`)
  for (const sum of samples()) {
    const key = BigInt(keyOf(sum))
    // 2^(key/64) ≤ sum < 2^((key+1)/64), raised to the 64th power. The table is rounded, so allow its last bit.
    const power = sum ** 64n
    const slack = power >> 16n
    t.ok(1n << key <= power + slack && power - slack < 1n << (key + 1n), `${sum}`)
  }
})

t.test('the key never sinks when the sum grows', async (t) => {
  const sorted = [...samples()].toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  let last = 0
  for (const sum of sorted) {
    const key = keyOf(sum)
    if (key < last) t.fail(`${sum}`)
    last = key
  }
  for (let sum = 1n; sum < 5000n; sum++) if (keyOf(sum) > keyOf(sum + 1n)) t.fail(`${sum}`)
  t.ok(Number.isSafeInteger(last))
})

/** Sums small and large, beside powers of two and in between. */
function* samples(): Generator<bigint> {
  for (let exponent = 1n; exponent < 400n; exponent += 13n) {
    yield (1n << exponent) - 1n
    yield (1n << exponent) + 1n
    for (const power of [POWERS[1], POWERS[31], POWERS[63]]) if (power !== undefined) yield BigInt(power) << exponent
    yield ((1n << exponent) * 10_007n) / 7919n
  }
}

t.test('one like of today outranks one of a week ago, forever and by the same distance', async (t) => {
  for (const years of [0, 1, 5, 50]) {
    const today = DAWN + years * 365 * DAY
    const distance = keyOf(weightOf('like', today)) - keyOf(weightOf('like', today - 7 * DAY))
    t.ok(distance === Math.floor((7 * 64) / 3) || distance === Math.ceil((7 * 64) / 3), `${distance} after ${years} years`)
  }
})
