const WARM_UP = 10

export interface Rounds {
  rounds: number
  /** Calls to a round of each. */
  calls: number
}

/**
 * Median times of a call in microseconds, from rounds in turn: what disturbs one disturbs the other. Each call is told
 * its number within the round.
 */
export async function alternate<N extends string>(
  { rounds, calls }: Rounds,
  contenders: Record<N, (call: number) => unknown>,
): Promise<Record<N, number>> {
  const names = Object.keys(contenders) as N[]
  const times = new Map<N, number[]>(names.map((name) => [name, []]))
  for (let round = -Math.min(WARM_UP, rounds); round < rounds; round++) {
    for (const name of names) {
      const started = performance.now()
      for (let call = 0; call < calls; call++) await contenders[name](call)
      // The first rounds only warm up.
      if (round >= 0) times.get(name)?.push(((performance.now() - started) / calls) * 1000)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<N, number>
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
