/** What fails in `work` names the line of the spec that called `from`, before those of ours. Of a read, only that line may be known. */
export async function atSpec<T>(from: (...args: never[]) => unknown, work: () => Promise<T>): Promise<T> {
  const called = { stack: '' }
  Error.captureStackTrace(called, from)
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error) error.stack = `${error.name}: ${error.message}${framesOf(called)}${framesOf(error)}`
    throw error
  }
}

const framesOf = ({ stack = '' }: { stack?: string }): string => /\n +at .*/s.exec(stack)?.[0] ?? ''
