/** Anything can be thrown, not only errors. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The message in a stack may hold line breaks from outside: indented, they begin nothing of ours. */
export const indentedStack = (stack: string): string[] => stack.split('\n').map((line) => `  ${line}`)

/** "1 event", "2 events"; give an irregular plural explicitly. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** A text that is not longer than `max`, or its beginning. */
export const clip = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`)
