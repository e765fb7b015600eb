/** For the specs of own models: `import { … } from 'vitrine/testing'`. */

export { erases } from './erases.js'
export { type Expected, given } from './given.js'
export { type Happened, happened } from './happened.js'
