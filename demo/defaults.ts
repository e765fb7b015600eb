export const DEMO_DEFAULTS = { creators: 400, creations: 4_000, seed: 1 } as const

/** How many events that is. A start of the finished demo need not generate them to know. */
export const DEMO_EVENTS = 76_278
