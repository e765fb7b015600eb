/** Anything can be thrown, not only errors. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** "1 event", "2 events"; give an irregular plural explicitly. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
