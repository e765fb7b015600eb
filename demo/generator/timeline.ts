/**
 * When things happen. The span is fixed, so that the same options give the same log whenever they are asked.
 * Only +, -, *, / and sqrt are used: IEEE 754 defines their last bit, unlike that of exp, log or pow.
 */
export const DEMO_END = Date.UTC(2026, 10, 1)
export const DAY = 86_400_000
export const DEMO_START = DEMO_END - 548 * DAY

/** Titles became translatable on this day; a few old phones went on sending version 1 for two months. */
export const TRANSLATIONS_SINCE = DEMO_START + 120 * DAY
export const LAST_V1_CLIENT = TRANSLATIONS_SINCE + 60 * DAY

/** The moment of the `nth` arrival among `count`, on a curve that starts slowly and grows; `jitter` in [0, 2^32). */
export function arrivalTime(nth: number, count: number, jitter: number, since: number, until = DEMO_END): number {
  const share = (nth + jitter / 4_294_967_296) / count
  return Math.floor(since + (until - since) * (0.35 * share + 0.65 * Math.sqrt(share)))
}

/**
 * The moment of the `nth` of `count` reactions to something that keeps people busy for `lifetime` ms: interest rises in
 * the first days (the root) and then thins out (the fourth power).
 */
export function reactionTime(nth: number, count: number, jitter: number, since: number, lifetime: number): number {
  const share = (nth + jitter / 4_294_967_296) / count
  const square = share * share
  return Math.floor(since + 60_000 + lifetime * (0.16 * Math.sqrt(share) + 0.84 * square * square))
}
