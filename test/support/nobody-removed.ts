/** Tombstones of a community that nobody has left. */
export const NOBODY_REMOVED = { among: async () => new Set<string>() }
