import { z } from 'zod'

/** Missing sequences, as inclusive ranges in ascending order. */
export const SequenceGaps = z.array(z.tuple([z.number(), z.number()]).readonly()).readonly()
export type SequenceGaps = z.infer<typeof SequenceGaps>

/** Ranges that are kept. Beyond these the lowest are given up: what fills one of them counts as repeated where events add. */
export const MAX_GAPS = 1000

/** Whether a sequence that is in no gap may be in one that was given up. Some may have been filled since, hence the half. */
export const mayBeGivenUp = (gaps: SequenceGaps, sequence: number): boolean => gaps.length > MAX_GAPS / 2 && sequence < (gaps[0]?.[0] ?? 0)

export const hasGapAt = (gaps: SequenceGaps, sequence: number): boolean => gaps.some(([from, to]) => from <= sequence && sequence <= to)

/** The same gaps without one sequence, which has arrived. */
export function fillGap(gaps: SequenceGaps, sequence: number): SequenceGaps {
  if (!hasGapAt(gaps, sequence)) return gaps
  return gaps.flatMap(([from, to]) => {
    if (sequence < from || sequence > to) return [[from, to] as const]
    const left = sequence > from ? [[from, sequence - 1] as const] : []
    return sequence < to ? [...left, [sequence + 1, to] as const] : left
  })
}

/** The gaps after a sequence above the highest so far. */
export function addGap(gaps: SequenceGaps, highest: number, sequence: number): SequenceGaps {
  return sequence === highest + 1 ? gaps : [...gaps, [highest + 1, sequence - 1] as const].slice(-MAX_GAPS)
}

/** How many sequences are missing. */
export const gapSize = (gaps: SequenceGaps): number => gaps.reduce((sum, [from, to]) => sum + to - from + 1, 0)

/** "2-8, 11" */
export const gapsText = (gaps: SequenceGaps): string => gaps.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(', ')
