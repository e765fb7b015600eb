/** The entry of the plain reference, as `startBare` finds it. */
export const PLAIN = '../serving/plain-process.js'
