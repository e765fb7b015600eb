import type { NewRecord } from '../../src/ports/event-log.js'
import { CategoryEvents } from './category-events.js'
import { createContext } from './context.js'
import { Creators } from './creators.js'
import { Engagement } from './engagement.js'
import type { TimedEvents } from './events.js'
import { Publications } from './publications.js'
import { DEMO_END } from './timeline.js'

export interface DemoOptions {
  creators: number
  creations: number
  seed: number
  /** Where the pictures are served, e.g. `http://localhost:3001`. */
  webUrl: string
}

/** The demo's events in the order of their time: the same options always give the same bytes. */
export function* demoLog(options: DemoOptions): Generator<NewRecord> {
  for (const size of ['creators', 'creations', 'seed'] as const) {
    if (!Number.isSafeInteger(options[size]) || options[size] < 0) throw new RangeError(`${size} must be a whole number`)
  }
  if (options.creators === 0 && options.creations > 0) throw new RangeError('creations need at least one creator')

  const world = createContext(options)
  const creators = new Creators(world)
  const publications = new Publications(world, creators)
  const engagement = new Engagement(world, creators, publications)
  const sources: TimedEvents[] = [new CategoryEvents(world), creators.arrivals, publications, creators, engagement]

  for (;;) {
    const source = earliest(sources)
    if (source.time >= DEMO_END) return
    const record = source.next()
    if (record !== undefined) yield record
  }
}

/** On a tie the first source wins: people arrive before they publish. */
function earliest(sources: readonly TimedEvents[]): TimedEvents {
  return sources.reduce((first, source) => (source.time < first.time ? source : first))
}
