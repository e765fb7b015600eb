/** How a model is declared. */
export { declared } from './declared.js'
export { achieved, best, claimed, first, type Group, idOf, latest, max, min, person, sum, total } from './registers.js'
export { type DocumentOf, edge, own, type Readable, state } from './state.js'
export { addTo, countBy, counts, show } from './views.js'
