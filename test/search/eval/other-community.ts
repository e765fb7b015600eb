/** A community that is not the demo, so that nothing fits only its words. Written without sight of the demo, the code and the thesaurus. */
import { z } from 'zod'
import { KINDS } from '../../../src/events/index.js'
import { published, registered, type Told } from '../../spec/events.js'
import { CommunityQuestion, linesOf } from './wishes.js'

const Texts = z.record(z.string(), z.string())
const Made = z.strictObject({
  creator: z.string(),
  slug: z.string(),
  kind: z.enum(KINDS),
  category: z.string(),
  title: Texts,
  description: Texts,
  tags: z.array(z.string()),
})
const Person = z.strictObject({ id: z.string(), handle: z.string(), displayName: z.string() })

export const otherCommunity = (): Told[] => [
  ...linesOf('creators.ndjson', Person).map(({ id, handle, displayName }) => registered(id, { handle, displayName })),
  ...linesOf('community.ndjson', Made).map(({ creator: by, ...made }) => published(`${by}--${made.slug}`, { by, ...made })),
]

export const otherQuestions = (): CommunityQuestion[] => linesOf('community-questions.ndjson', CommunityQuestion)
