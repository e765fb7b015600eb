/** Limits that callers keep to by themselves. It imports nothing, because the client uses it in browsers, too. */

/** Reads in one batch. */
export const MAX_BATCH = 10

/** Seconds between two polls of an ask job, as the specification asks. */
export const POLL_AFTER_S = 5
