import { readFileSync } from 'node:fs'

/** One line of a Dockerfile, continued lines joined. */
export interface Instruction {
  keyword: string
  words: readonly string[]
}

/** The instructions of each stage, the last of which becomes the image. */
export function stagesOf(path: string): Instruction[][] {
  const stages: Instruction[][] = []
  for (const line of readFileSync(path, 'utf8').replaceAll('\\\n', ' ').split('\n')) {
    const [keyword = '', ...words] = line.trim().split(/\s+/)
    if (keyword === '' || keyword.startsWith('#')) continue
    if (keyword === 'FROM') stages.push([])
    stages.at(-1)?.push({ keyword, words })
  }
  return stages
}

/** What follows a keyword, once for each time that it is there. */
export const wordsOf = (stage: readonly Instruction[], keyword: string): (readonly string[])[] =>
  stage.filter((instruction) => instruction.keyword === keyword).map(({ words }) => words)

/** A command in its exec form, `["node", "x.js"]`. */
export function commandOf(words: readonly string[]): string[] {
  const text = words.join(' ')
  return JSON.parse(text.slice(text.indexOf('[')))
}

export interface Copy {
  /** Made by the first stage, rather than taken from the checkout. */
  isBuilt: boolean
  /** Relative to the folder both stages work in. */
  sources: readonly string[]
  target: string
}

export function copiesOf(stage: readonly Instruction[]): Copy[] {
  const [[workdir = ''] = []] = wordsOf(stage, 'WORKDIR')
  return wordsOf(stage, 'COPY').map((words) => {
    const paths = words.filter((word) => !word.startsWith('--'))
    const sources = paths.slice(0, -1).map((path) => (path.startsWith(`${workdir}/`) ? path.slice(workdir.length + 1) : path))
    return { isBuilt: words.some((word) => word.startsWith('--from=')), sources, target: paths.at(-1) ?? '' }
  })
}
