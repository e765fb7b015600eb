/** For the specs of custom models: `import { … } from 'vitrine/testing'`. */

export { erases } from './erases.js'
export { type Expected, given } from './given.js'
export { type Happened, happened } from './happened.js'
