/** "1 event", "2 events"; `many` is for irregular plurals. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
