/** The entry of the baseline process, for `startBaseline`. */
export const PLAIN = './single-answer-process.js'
