/** What several surfaces say about agents, said once. */

/** The folder of the skill under `/.well-known/agent-skills`. */
export const SKILL_NAME = 'vitrine-public-read'

/** Digits of the code that people get by email and type into the app. */
export const EMAIL_CODE_LENGTH = 6
