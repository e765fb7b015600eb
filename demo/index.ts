/**
 * Demo data: a made-up community as a stream of upstream events (`demoLog`), and its pictures (`coverSvg`, `avatarSvg`).
 *
 * Everything is a function of the options. What a creator or creation is like follows from its number (people, ideas,
 * wording, listing); when things happen follows from fixed curves (timeline); who reacts to what is seeded
 * chance (creators, publications, engagement). Only a few counters per creator and creation are kept, in typed arrays.
 */
export { DEMO_DEFAULTS, DEMO_EVENTS } from './defaults.js'
export { demoLog } from './generator/demo-log.js'
export { DEMO_END, DEMO_START } from './generator/timeline.js'
export { avatarSvg } from './pictures/avatar.js'
export { coverSvg } from './pictures/cover.js'
