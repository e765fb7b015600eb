/** Rules of request headers, for those who check them and for the published description. */

/** `Idempotency-Key`: visible ASCII, in double quotes (first group; then with spaces and escapes) or bare (second group). */
export const IDEMPOTENCY_KEY = /^(?:"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"|([\x21\x23-\x7e]{1,255}))$/

/** `Service-Min-Position`: whole numbers that every JSON reader keeps exact. */
export const MAX_POSITION = 999_999_999_999_999
export const POSITION_HEADER = /^\d{1,15}$/
