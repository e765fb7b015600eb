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
export const POWERS: readonly bigint[] = [
  16_777_216n,
  16_959_908n,
  17_144_589n,
  17_331_282n,
  17_520_007n,
  17_710_787n,
  17_903_645n,
  18_098_603n,
  18_295_684n,
  18_494_911n,
  18_696_307n,
  18_899_897n,
  19_105_703n,
  19_313_750n,
  19_524_063n,
  19_736_666n,
  19_951_585n,
  20_168_843n,
  20_388_467n,
  20_610_483n,
  20_834_917n,
  21_061_794n,
  21_291_142n,
  21_522_987n,
  21_757_357n,
  21_994_279n,
  22_233_781n,
  22_475_891n,
  22_720_638n,
  22_968_049n,
  23_218_155n,
  23_470_984n,
  23_726_566n,
  23_984_932n,
  24_246_111n,
  24_510_133n,
  24_777_031n,
  25_046_835n,
  25_319_578n,
  25_595_290n,
  25_874_004n,
  26_155_754n,
  26_440_571n,
  26_728_490n,
  27_019_544n,
  27_313_768n,
  27_611_195n,
  27_911_861n,
  28_215_802n,
  28_523_052n,
  28_833_647n,
  29_147_625n,
  29_465_022n,
  29_785_875n,
  30_110_222n,
  30_438_101n,
  30_769_550n,
  31_104_608n,
  31_443_315n,
  31_785_710n,
  32_131_834n,
  32_481_727n,
  32_835_430n,
  33_192_984n,
]

/** Fraction bits of the table. */
export const SCALE_BITS = 24n

export const WEIGHTS = { like: 4, play: 1, remix: 12, score: 2 } as const
export type Engagement = keyof typeof WEIGHTS

/** What one engagement at a moment adds. */
export function weightOf(engagement: Engagement, time: number): bigint {
  const steps = stepsAt(time)
  const power = POWERS[steps % STEPS] ?? 0n
  return (BigInt(WEIGHTS[engagement]) * power) << BigInt(Math.floor(steps / STEPS))
}

const stepsAt = (time: number): number => Math.max(0, Math.floor((time - EPOCH_MS) / STEP_MS))

export const NO_HEAT = '0'

/** Sums are kept as hexadecimal text: JSON has no integers of this size. */
export function addHeat(heat: string, by: bigint): string {
  return (BigInt(`0x${heat}`) + by).toString(16)
}

/** Numbers of this many hexadecimal digits are exact, also after adding any weight. */
const MAX_DIGITS = 12

/**
 * `addHeat` with `weightOf`, mostly without big integers: a weight ends in one zero bit per half-life, so only the few
 * digits before those can change.
 */
export function addEngagementHeat(heat: string, engagement: Engagement, time: number): string {
  const steps = stepsAt(time)
  const zeros = Math.floor(steps / STEPS)
  const length = heat.length - Math.floor(zeros / 4)
  if (length < 1 || length > MAX_DIGITS) return addHeat(heat, weightOf(engagement, time))
  const weight = WEIGHTS[engagement] * (POWERS_AS_NUMBERS[steps % STEPS] ?? 0) * 2 ** (zeros % 4)
  return (Number.parseInt(heat.slice(0, length), 16) + weight).toString(16) + heat.slice(length)
}

/**
 * The sort key: 64 · log2 of the sum, rounded down. Fine enough to rank, coarse enough that the thousandth like of the
 * day does not move a creation in every index.
 */
export function trendingKey(heat: string): number {
  if (heat === NO_HEAT) return 0
  const exponent = bitLength(heat) - 1
  return exponent * STEPS + stepBelow(leadingBits(heat, exponent))
}

/** The leading bits as a number in [1, 2), with the fraction bits of the table. */
function leadingBits(heat: string, exponent: number): number {
  // Eight digits hold more bits than the table has, and few enough for plain numbers.
  const digits = heat.slice(0, 8)
  const exponentOfDigits = exponent - 4 * (heat.length - digits.length)
  return Math.floor(Number.parseInt(digits, 16) * 2 ** (Number(SCALE_BITS) - exponentOfDigits))
}

function bitLength(hex: string): number {
  const [first = '0'] = hex
  return (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(first, 16)))
}

const POWERS_AS_NUMBERS = POWERS.map(Number)

function stepBelow(lead: number): number {
  let low = 0
  let high = STEPS - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((POWERS_AS_NUMBERS[middle] ?? 0) <= lead) low = middle
    else high = middle - 1
  }
  return low
}
