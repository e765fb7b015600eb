import type { Docs, EventFanOut } from '../../src/engine/definition/projection.js'
import type { AnyEvent } from '../../src/events/index.js'
import type { Collection, Doc } from '../../src/ports/document-store.js'

type Sweep<E extends AnyEvent, D extends Doc> = Pick<EventFanOut<E>, 'where'> & {
  each(event: E, member: D, docs: Docs): void
  also?: EventFanOut<E>['also']
}

/** A fan-out by hand. */
export const sweep = <E extends AnyEvent, D extends Doc>(collection: Collection<D>, { each, ...rest }: Sweep<E, D>): EventFanOut<E> => ({
  ...{ collection, through: null, also: () => [], ...rest },
  // The engine only passes documents of `collection`.
  each: (event, member, docs) => each(event, member as D, docs),
})
