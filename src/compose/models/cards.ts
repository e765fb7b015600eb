/** What custom reads may show of our models: the creation or creator that a field of theirs refers to. */
import { z } from 'zod'
import { cardsOf, publicSummaries } from '../../../readmodels/feed/queries.js'
import type { ReadContext } from '../../contract/operation.js'

/** Both are kept in the feed. */
export const CARD_MODEL = 'feed'

const Creator = z.object({ handle: z.string(), displayName: z.string(), avatarUrl: z.string().nullable(), url: z.string() })
const Creation = z.object({ slug: z.string(), title: z.string(), url: z.string(), creator: Creator.omit({ url: true }) })

const creator = { handle: 'marisol', displayName: 'Marisol Vega', avatarUrl: null }
const url = 'https://marisol.vitrine.example/'

interface CardKind {
  /** Null where it is gone, or was never public. */
  schema: z.ZodType
  example: object
  find(context: ReadContext, ids: readonly string[]): Promise<ReadonlyMap<string, object>>
}

export const CARD_KINDS: Readonly<Record<string, CardKind>> = {
  creation: {
    schema: Creation.nullable(),
    example: { slug: 'tide-clock', title: 'Tide clock', url: `${url}tide-clock`, creator },
    async find({ model, localizer, urls }, ids) {
      const cards = new Map<string, z.infer<typeof Creation>>()
      for (const [id, { slug, title, creator }] of await publicSummaries(model(CARD_MODEL), ids))
        if (slug !== null && creator !== null)
          cards.set(id, { slug, title: localizer.text(title), url: urls.creation(creator.handle, slug), creator })
      return cards
    },
  },
  creator: {
    schema: Creator.nullable(),
    example: { ...creator, url },
    async find({ model, urls }, ids) {
      const cards = new Map<string, z.infer<typeof Creator>>()
      for (const [id, { handle, displayName, avatarUrl }] of await cardsOf(model(CARD_MODEL), ids))
        if (handle !== null) cards.set(id, { handle, displayName, avatarUrl, url: urls.creator(handle) })
      return cards
    },
  },
}

/** By the field that a card is shown in: what it is of, and the field that refers to it. */
export type Cards = Readonly<Record<string, { kind: string; through: string }>>

/** The answer of a custom read, or each of its items, with the cards that it declares. */
export async function withCards(context: ReadContext, cards: Cards, answer: unknown): Promise<unknown> {
  if (Object.keys(cards).length === 0 || typeof answer !== 'object' || answer === null) return answer
  const isList = 'items' in answer && Array.isArray(answer.items)
  let items: readonly Readonly<Record<string, unknown>>[] = isList ? Object(answer).items : [answer]
  for (const [field, { kind, through }] of Object.entries(cards)) {
    const ids = items.map((item) => item[through]).filter((id) => typeof id === 'string')
    const found = (await CARD_KINDS[kind]?.find(context, [...new Set(ids)])) ?? new Map()
    items = items.map((item) => ({ ...item, [field]: found.get(String(item[through])) ?? null }))
  }
  return isList ? { ...answer, items } : items[0]
}
