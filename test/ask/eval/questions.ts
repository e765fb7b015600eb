import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { LANGUAGES } from '../../../src/ask/languages.js'
import { MODES } from '../../../src/ask/request.js'

/** The folder of the sources, seen from `dist/test/ask/eval/`. */
const FOLDER = new URL('../../../../test/ask/eval/', import.meta.url)

const Asked = z.strictObject({
  id: z.string().min(1),
  lang: z.enum(LANGUAGES),
  kind: z.enum(['fact', 'live', 'unknown', 'injection']),
  query: z.string(),
  prev: z.array(z.string()).optional(),
  mode: z.enum(MODES).optional(),
  must: z.array(z.string().min(1)),
  mustNot: z.array(z.string().min(1)),
  cite: z.array(z.string().min(1)),
  results: z.array(z.string().min(1)).optional(),
})
export type Asked = z.infer<typeof Asked>

/** Every set in the folder, under its file's name. */
export function questionSets(): Map<string, Asked[]> {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
  return new Map(files.map((name) => [name.slice(0, -'.ndjson'.length), readSet(name)]))
}

function readSet(name: string): Asked[] {
  const lines = readFileSync(new URL(name, FOLDER), 'utf8').trimEnd().split('\n')
  const set = lines.map((line) => Asked.parse(JSON.parse(line)))
  const twice = set.find(({ id }, place) => set.findIndex((other) => other.id === id) !== place)
  if (twice !== undefined) throw new Error(`${name}: two questions are called ${twice.id}`)
  return set
}
