import { readFileSync } from 'node:fs'
import { type Origins, serviceUrls } from '../contract/public-urls.js'
import { fillFacts } from '../lib/fill-facts.js'
import { packageRoot } from '../lib/package-root.js'

/** A text of `content/discovery`, with the addresses of this installation and `more` filled in. */
export function discoveryText(file: string, sites: Origins, more: Readonly<Record<string, string | number>>): string {
  const source = readFileSync(new URL(`content/discovery/${file}`, packageRoot), 'utf8')
  const facts = Object.entries({ ...sites, ...serviceUrls(sites), ...more })
  return fillFacts(source, new Map(facts.map(([key, value]) => [key, String(value)])))
}
