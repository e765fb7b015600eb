/**
 * How a model is declared.
 *
 * `state` and `edge` name the documents that events write to: one per aggregate, or one per aggregate and person. A handler in
 * `on` returns what its event says of its own aggregate, as `creation({ title })`; a field that is `undefined` stays as it is.
 * Each field is a register, whose rule says what becomes of it, in whatever order events come (only `claimed` follows the log):
 *
 * - `latest`, `first`: what the event with the highest, or the lowest, sequence said
 * - `max`, `min`, `best`: the highest, the lowest, the one that beats the others
 * - `sum`: what is said is added, so `plays: 1` is one more; views may add, too
 * - `total`: what views add
 * - `claimed`, `achieved`: the position, or the time, of the event that set another field
 *
 * `person` and `idOf` are ids of the owner and of other aggregates, for `latest` and `first`; `countedIn` names a total of what they refer
 * to, which counts them: where it is 0, a change has no joins to look for. Of the two ends of an edge, `own` is the aggregate that its
 * events are about (not an owner), and `like(userId, …)` names the other. `derive` and `join` compute further fields, from the document's own and from what an id refers to: `creator.of('creatorId', ['handle'])` is the handle of the creator whose
 * id is in `creatorId`.
 *
 * A view computes from the fields that it names, again whenever one of them changes: `countBy` makes a document per key, `show`
 * one per document, `addTo` adds to totals of what a field refers to. `null` is nothing, and what was there goes. Views
 * may read what other views add.
 *
 * The engine derives the rest:
 *
 * - A repeated event counts once, a late one as if it had come in time. For sums an aggregate keeps the sequences that it lacks, up
 *   to 1,000 gaps; an event in a gap beyond that is not added.
 * - What is removed leaves a tombstone, which no event and no view fills. Its edges go, and what views had added for it is taken
 *   back. Ids that refer to it stay; a join of something removed, or unknown, has its initial values.
 * - An erased person is removed likewise, with every document whose `person` any event said they are, also one that lost.
 * - A state without fields knows who was removed, for the edges and documents that go with them.
 */
export { declared } from './declared.js'
export { achieved, best, claimed, first, type Group, idOf, latest, max, min, person, sum, total } from './registers.js'
export { type DocumentOf, edge, own, type Readable, state } from './state.js'
export { addTo, countBy, counts, show } from './views.js'
