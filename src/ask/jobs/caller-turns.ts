/** Whose job is next: callers take turns, so that one with hundreds of jobs does not hold up one with a single job. */
export class CallerTurns {
  readonly #lastTurn = new Map<string, number>()
  #turn = 0

  /** Of each caller the oldest job first; the caller who has waited longest for a turn first. */
  order<J>(jobsByCaller: ReadonlyMap<string, readonly J[]>, atMost: number): J[] {
    for (const caller of this.#lastTurn.keys()) if (!jobsByCaller.has(caller)) this.#lastTurn.delete(caller)
    const lastTurn = (caller: string) => this.#lastTurn.get(caller) ?? 0
    const waiting = [...jobsByCaller].sort(([a], [b]) => lastTurn(a) - lastTurn(b))
    const chosen: J[] = []
    for (let round = 0; waiting.some(([, jobs]) => jobs.length > round); round++) {
      for (const [caller, jobs] of waiting) {
        const job = jobs[round]
        if (job === undefined) continue
        if (chosen.length >= atMost) return chosen
        this.#lastTurn.set(caller, ++this.#turn)
        chosen.push(job)
      }
    }
    return chosen
  }
}
