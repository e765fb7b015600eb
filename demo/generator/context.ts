import { mix } from '../random.js'
import { type Ids, idsOf } from './ids.js'

/** What every part of the demo needs to know. */
export interface DemoContext {
  seed: number
  creators: number
  creations: number
  ids: Ids
  coverUrl(key: string): string
  avatarUrl(key: string): string
}

export function createContext(options: { creators: number; creations: number; seed: number; webUrl: string }): DemoContext {
  const base = options.webUrl.replace(/\/+$/, '')
  const seed = mix(options.seed, Math.floor(options.seed / 4_294_967_296))
  return {
    seed,
    creators: options.creators,
    creations: options.creations,
    ids: idsOf(seed),
    coverUrl: (key) => `${base}/covers/${key}.svg`,
    avatarUrl: (key) => `${base}/avatars/${key}.svg`,
  }
}
