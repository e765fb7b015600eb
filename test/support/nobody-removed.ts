/** Tombstones of a community that nobody has left. */
export const NOBODY_REMOVED = { amongKept: async () => new Set<string>() }
