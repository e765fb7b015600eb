import fc from 'fast-check'
import { among, type DraftEvent, EVERYONE } from './arbitrary-events.js'
import { CATEGORIES, TAGS } from './arbitrary-fields.js'
import { delivered, type Log } from './arbitrary-log.js'

/** Logs of a community with more creations than a rail of the landing shows, followed by random events. */
export const busyLogs = (): fc.Arbitrary<Log> =>
  delivered(fc.tuple(manyCreations, fc.array(among(EVERYONE).anything, { maxLength: 40, size: 'max' })).map((parts) => parts.flat()))

/** Two creators and their twenty creations. Most have no later event, so their sort values do not move. */
const manyCreations: fc.Arbitrary<DraftEvent[]> = fc
  .array(
    fc.record({
      creatorId: fc.constantFrom('maker', 'u1'),
      category: fc.constantFrom(...CATEGORIES),
      tags: fc.subarray(TAGS, { maxLength: 2 }),
      title: fc.constantFrom('Red Apples', 'Café noir', 'red noir apple'),
      /** Few different moments, because ties can break a page boundary. */
      hour: fc.nat(3),
      featured: fc.constantFrom(null, { spotlight: false }, { spotlight: true }),
      plays: fc.nat(2),
      likes: fc.subarray(['fan', 'friend']),
      /** The number of a creation before this one. */
      remixOf: fc.option(fc.nat(5)),
    }),
    { minLength: 20, maxLength: 20 },
  )
  .map((creations) => [registered('maker'), registered('u1'), ...creations.flatMap(lifeOf)])

function lifeOf(
  { creatorId, category, tags, title, hour, featured, plays, likes, remixOf }: GeneratedCreation,
  number: number,
): DraftEvent[] {
  const creationId = idOf(number)
  const says = (type: string, data: object): DraftEvent => ({
    type,
    subject: `creation/${creationId}`,
    data: { creationId, ...data },
    hour,
    gap: false,
  })
  return [
    says('creation.published.v1', {
      creatorId,
      slug: creationId,
      kind: 'game',
      title,
      description: '',
      category,
      tags,
      remixOf: remixOf === null || remixOf >= number ? null : idOf(remixOf),
    }),
    ...(featured === null ? [] : [says('creation.featured.v1', featured)]),
    ...Array.from({ length: plays }, () => says('creation.played.v1', { userId: 'fan', seconds: 1 })),
    ...likes.map((userId) => says('creation.liked.v1', { userId })),
  ]
}

interface GeneratedCreation {
  creatorId: string
  category: string
  tags: string[]
  title: string
  hour: number
  featured: { spotlight: boolean } | null
  plays: number
  likes: string[]
  remixOf: number | null
}

/** The first ones are those that the later events are about. */
const idOf = (number: number): string => ['c1', 'c2', 'c5'][number] ?? `p${number}`

const registered = (creatorId: string): DraftEvent => ({
  type: 'creator.registered.v1',
  subject: `creator/${creatorId}`,
  data: { creatorId, handle: creatorId, displayName: creatorId },
  hour: 0,
  gap: false,
})
