/** The entry of the plain reference, as `startBare` finds it. */
export const PLAIN = './single-answer-process.js'
