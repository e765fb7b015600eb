import type { NewRecord } from '../../src/ports/event-log.js'
import { at, mix } from '../random.js'
import { slugOf } from '../slugs.js'
import { CATEGORIES, LANGUAGES } from '../words/index.js'
import type { DemoContext } from './context.js'
import { type EventInput, record, recordV1 } from './events.js'
import type { Listing } from './listing.js'
import type { Publications } from './publications.js'
import { byLanguage, description, revisedTitle, title } from './wording.js'

type Change = Omit<EventInput<'creation.edited'>, 'creationId'>

/** The `nth` edit of a creation (0 or 1). The two are never of the same sort. */
export function editEvent(
  world: DemoContext,
  publications: Publications,
  creation: number,
  { sequence, time, nth }: { sequence: number; time: number; nth: number },
): NewRecord {
  const luck = mix(world.seed, 0xed17, creation)
  const creationId = world.ids.creation(creation)
  const subject = `creation/${creationId}`
  const startedOld = publications.sendsV1(creation, publications.publishedAt(creation))
  const listing = publications.listing(creation, startedOld)
  if (publications.sendsV1(creation, time)) {
    return recordV1('creation.edited', subject, sequence, time, {
      creationId,
      title: revisedTitle(listing.wording, luck, 'en'),
      tags: listing.tags,
    })
  }
  // Creations that began in English only are translated first.
  const change = startedOld && nth === 0 ? translate(listing) : at(CHANGES, (luck + nth) % CHANGES.length)(listing, luck >>> 8, world)
  return record('creation.edited', subject, sequence, time, { creationId, ...change })
}

const CHANGES: readonly ((listing: Listing, luck: number, world: DemoContext) => Change)[] = [
  rename,
  retag,
  changeCategory,
  newCover,
  rename,
  shorten,
]

function translate({ wording }: Listing): Change {
  return {
    title: byLanguage(LANGUAGES, (language) => title(wording, language)),
    description: byLanguage(LANGUAGES, (language) => description(wording, language)),
  }
}

/** A new title; one in two changes the slug, too. */
function rename({ wording, languages, slug }: Listing, luck: number): Change {
  const renamed = { title: byLanguage(languages, (language) => revisedTitle(wording, luck, language)) }
  const language = languages.find((candidate) => candidate !== 'ja') ?? 'en'
  return luck & 0x100 ? { ...renamed, slug: slugOf(revisedTitle(wording, luck, language), language) || slug } : renamed
}

function retag({ tags }: Listing, luck: number): Change {
  return { tags: luck & 1 ? [...tags.slice(0, 4), 'updated'] : tags.slice(0, 1) }
}

function changeCategory({ category, kind }: Listing, luck: number): Change {
  const others = CATEGORIES.filter(({ slug, kinds }) => slug !== category && kinds.includes(kind))
  return { category: at(others, luck % others.length).slug }
}

function newCover({ coverKey }: Listing, _luck: number, world: DemoContext): Change {
  return { coverUrl: world.coverUrl(`${coverKey}-new`) }
}

/** Only the first sentence stays. */
function shorten({ wording, languages }: Listing): Change {
  return { description: byLanguage(languages, (language) => description({ ...wording, more: [] }, language)) }
}
