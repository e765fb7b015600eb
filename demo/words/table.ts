/** Readers of the word tables beside this file: plain text, one entry per line or per block, checked when loaded. */
export const LANGUAGES = ['en', 'es', 'de', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]
export type ByLanguage<T> = Record<Language, T>

/** A title pattern and the sentence that goes with it. */
export interface Phrase {
  title: string
  text: string
}

/** What can be made of a topic. */
export interface Form {
  phrase: ByLanguage<Phrase>
  /** Null: everywhere. */
  categories: readonly string[] | null
}

/** One entry per line, `columns` cells separated by `|`; `=` repeats the cell before it. */
export function rows(table: string, columns: number): string[][] {
  return lines(table).map((line) => {
    let last = ''
    const cells = line.split('|').map((cell) => {
      last = cell.trim() === '=' ? last : cell.trim()
      return last
    })
    if (cells.length !== columns || cells.includes('')) throw new Error(`expected ${columns} cells: ${line}`)
    return cells
  })
}

/** Blocks of four lines `en …`, `es …`, `de …`, `ja …`; an empty line ends a block. */
export function texts(table: string): ByLanguage<string>[] {
  return blocks(table).map((block) => inLanguages((language) => cell(block, language)))
}

/** The same blocks, each line `title | sentence`. */
export function phrases(table: string): ByLanguage<Phrase>[] {
  return blocks(table).map((block) => inLanguages((language) => phrase(cell(block, language))))
}

/** The same again, with an optional line `on …` that names the categories where the phrase makes sense. */
export function forms(table: string): Form[] {
  return blocks(table).map((block) => ({
    phrase: inLanguages((language) => phrase(cell(block, language))),
    categories: block.get('on')?.split(' ') ?? null,
  }))
}

type Block = ReadonlyMap<string, string>

function blocks(table: string): Block[] {
  return table
    .trim()
    .split(/\n\s*\n/)
    .map((block) => new Map(lines(block).map((line) => [line.slice(0, 2), line.slice(3).trim()])))
}

function cell(block: Block, language: Language): string {
  const value = block.get(language)
  if (value === undefined || value === '') throw new Error(`no ${language} in: ${[...block.values()].join(' / ')}`)
  return value
}

function phrase(line: string): Phrase {
  const [title, text, ...rest] = line.split('|').map((part) => part.trim())
  if (!title || !text || rest.length > 0) throw new Error(`expected "title | sentence": ${line}`)
  return { title, text }
}

const inLanguages = <T>(write: (language: Language) => T): ByLanguage<T> => ({
  en: write('en'),
  es: write('es'),
  de: write('de'),
  ja: write('ja'),
})

export function lines(table: string): string[] {
  return table
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
