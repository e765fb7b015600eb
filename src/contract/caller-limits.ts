/** Limits of callers. It imports nothing, because the client uses it in browsers, too. */

/** Reads in one batch. */
export const MAX_BATCH = 10

/** A search counts as one request for each so many characters that it begins, and a question likewise: long ones are more work. */
export const SEARCH_CHARACTERS = 20
export const QUESTION_CHARACTERS = 24
/** Within a tag, a category or a kind more creations are looked at, and characters count so many times. */
export const FILTERED_FACTOR = 2

/** Seconds between two polls of an ask job, as the specification asks. */
export const POLL_AFTER_S = 5

/** One organisation may have a /48, which is 65,536 callers: together they get this many times what one of them gets. */
export const NETWORK_FACTOR = 10
