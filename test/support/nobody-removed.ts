/** Tombstones of a community that nobody has left. */
export const NOBODY_REMOVED = { includeAny: async () => false, among: async () => new Set<string>() }
