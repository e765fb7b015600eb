/** What people look for in the demo, judged by what its creations are about. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { IDEA_COUNT, type Idea, idea } from '../../../demo/generator/ideas.js'
import { title } from '../../../demo/generator/wording.js'
import { LANGUAGES } from '../../../demo/words/index.js'

/** The folder of the sources, seen from `dist/test/search/eval/`. */
const FOLDER = new URL('../../../../test/search/eval/', import.meta.url)

export const HALVES = ['work', 'unseen'] as const

/** What a creation has to be, as far as is said. */
const About = z.strictObject({
  /** The English noun of a topic of the demo. */
  topic: z.string().optional(),
  /** An English title pattern. */
  form: z.string().optional(),
  idea: z.string().optional(),
  place: z.string().optional(),
  kind: z.string().optional(),
  category: z.string().optional(),
})
type About = z.output<typeof About>

const Asked = z.strictObject({ id: z.string(), lang: z.enum(LANGUAGES), half: z.enum(HALVES), query: z.string() })
export const Wish = Asked.extend({ about: z.array(About).min(1) })
export type Wish = z.output<typeof Wish>
/** Either the creations that fit, as `creator/slug`, or a creator. */
export const CommunityQuestion = Asked.extend({ fits: z.array(z.string()).optional(), creator: z.string().optional() })
export type CommunityQuestion = z.output<typeof CommunityQuestion>

export const linesOf = <S extends z.ZodType>(file: string, schema: S): z.output<S>[] =>
  readFileSync(new URL(file, FOLDER), 'utf8')
    .trim()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)))

export const wishes = (): Wish[] => linesOf('wishes.ndjson', Wish)

/** The plain titles of all ideas of the demo, in every language. */
function ideasByTitle(): Map<string, Idea> {
  const found = new Map<string, Idea>()
  for (let nth = 0; nth < IDEA_COUNT; nth += 1) {
    const plain = { ...idea(nth, 1), brand: null }
    for (const language of LANGUAGES) found.set(title({ idea: plain, twist: null, more: [] }, language), plain)
  }
  return found
}

const IDEAS = ideasByTitle()

/** Brands, twists and revisions stand around the title of an idea. */
export const ideaOf = (text: string): Idea | undefined =>
  partsOf(text)
    .map((part) => IDEAS.get(part))
    .find((found) => found !== undefined)

/** The longest first. */
function partsOf(text: string): string[] {
  const units = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? [...text] : text.split(/(?<= )|(?<=[:,])|(?=[:,])/)
  const parts: string[] = []
  for (let length = units.length; length > 0; length -= 1) {
    for (let from = 0; from + length <= units.length; from += 1)
      parts.push(
        units
          .slice(from, from + length)
          .join('')
          .trim(),
      )
  }
  return parts
}

const fitsOne = (found: Idea, { topic, form, idea: local, place, kind, category }: About): boolean => {
  const { about, phrase } = found
  return (
    (topic === undefined || ('topic' in about && about.topic.enNoun === topic)) &&
    (place === undefined || ('place' in about && about.place.en === place)) &&
    (form === undefined || phrase.en.title === form) &&
    (local === undefined || phrase.en.title === local) &&
    (kind === undefined || found.kind === kind) &&
    (category === undefined || found.category.slug === category)
  )
}

export function fits(text: string, { about }: Pick<Wish, 'about'>): boolean {
  const found = ideaOf(text)
  return found !== undefined && about.some((each) => fitsOne(found, each))
}
