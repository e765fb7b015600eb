/** "1 event", "2 events"; where more of them are called otherwise, as told. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
