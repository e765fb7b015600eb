import { z } from 'zod'
import type { Group } from '../../src/engine/declared/index.js'

/**
 * Trending by forward decay: instead of letting old engagement fade, each new one weighs more, doubling every
 * half-life. Nothing ever has to be recomputed, and because the sums are exact integers the order of adding cannot
 * matter. Changing any constant here changes the documents, so it needs a new version of the feed.
 */
const HALF_LIFE_MS = 3 * 86_400_000
/** Engagement before this counts as if it happened then. */
const EPOCH_MS = Date.UTC(2024, 0, 1)
const STEPS = 64
const STEP_MS = HALF_LIFE_MS / STEPS

/**
 * 2^(k/64) for k from 0 to 63, times 2^24, rounded. Committed rather than computed: `Math.pow` may differ in its last
 * bit from one platform to the next, and a replay must give the same bits everywhere.
 */
export const POWERS: readonly number[] = [
  16_777_216, 16_959_908, 17_144_589, 17_331_282, 17_520_007, 17_710_787, 17_903_645, 18_098_603, 18_295_684, 18_494_911, 18_696_307,
  18_899_897, 19_105_703, 19_313_750, 19_524_063, 19_736_666, 19_951_585, 20_168_843, 20_388_467, 20_610_483, 20_834_917, 21_061_794,
  21_291_142, 21_522_987, 21_757_357, 21_994_279, 22_233_781, 22_475_891, 22_720_638, 22_968_049, 23_218_155, 23_470_984, 23_726_566,
  23_984_932, 24_246_111, 24_510_133, 24_777_031, 25_046_835, 25_319_578, 25_595_290, 25_874_004, 26_155_754, 26_440_571, 26_728_490,
  27_019_544, 27_313_768, 27_611_195, 27_911_861, 28_215_802, 28_523_052, 28_833_647, 29_147_625, 29_465_022, 29_785_875, 30_110_222,
  30_438_101, 30_769_550, 31_104_608, 31_443_315, 31_785_710, 32_131_834, 32_481_727, 32_835_430, 33_192_984,
]

/** Fraction bits of the table. */
export const SCALE_BITS = 24

export const WEIGHTS = { like: 4, play: 1, remix: 12, score: 2 } as const
export type Engagement = keyof typeof WEIGHTS

/** What one engagement at a moment adds. */
export function weightOf(engagement: Engagement, time: number): bigint {
  const steps = stepsAt(time)
  return BigInt(WEIGHTS[engagement] * (POWERS[steps % STEPS] ?? 0)) << BigInt(Math.floor(steps / STEPS))
}

const stepsAt = (time: number): number => Math.max(0, Math.floor((time - EPOCH_MS) / STEP_MS))

export const NO_HEAT = '0'

/** Sums are kept as hexadecimal text: JSON has no integers of this size. */
export function addHeat(heat: string, by: bigint): string {
  return (BigInt(`0x${heat}`) + by).toString(16)
}

/** How engagement adds up in documents. */
export const heatSum: Group<string, bigint> = { schema: z.string(), zero: NO_HEAT, none: 0n, add: addHeat, minus: (a, b) => a - b }

/**
 * The sort key: 64 · log2 of the sum, rounded down. Fine enough to rank, coarse enough that the thousandth like of the
 * day does not move a creation in every index.
 */
export function trendingKey(heat: string): number {
  if (heat === NO_HEAT) return 0
  const exponent = bitLength(heat) - 1
  const lead = leadingBits(heat, exponent)
  // Engines inline findIndex, but not findLastIndex, which would take ten times as long.
  const above = POWERS.findIndex((power) => power > lead)
  return exponent * STEPS + (above < 0 ? STEPS : above) - 1
}

/** The leading bits as a number in [1, 2), with the fraction bits of the table. */
function leadingBits(heat: string, exponent: number): number {
  // Eight digits hold more bits than the table has, and few enough for plain numbers.
  const digits = heat.slice(0, 8)
  const exponentOfDigits = exponent - 4 * (heat.length - digits.length)
  return Math.floor(Number.parseInt(digits, 16) * 2 ** (SCALE_BITS - exponentOfDigits))
}

function bitLength(hex: string): number {
  const [first = '0'] = hex
  return (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(first, 16)))
}
