/** Timers are 32-bit: a longer one would fire at once. */
export const timerMs = (ms: number): number => Math.min(ms, 2 ** 31 - 1)

/** Resolves after a while, or rejects with the reason of the signal. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(done, timerMs(ms))
    signal?.addEventListener('abort', cancelled)

    function done(): void {
      signal?.removeEventListener('abort', cancelled)
      resolve()
    }
    function cancelled(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancelled)
      reject(signal?.reason)
    }
  })
}
