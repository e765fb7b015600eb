/** Which test files there are, when they run, and which of them share a process. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const BUILT = 'dist/test'
/** Loading modules is much of what their files take; a server that several of them ask for is started once. */
const SHARED = `adapters/mongo ask cli demo discovery docs engine http mcp observe operations pages projections properties semantics`.split(
  ' ',
)
/** With few files each: all of them share one process. */
const SMALL = `compose events invalidation lib readmodels workers`.split(' ')
const AT_ONCE = 8
/** Look at what a process loads for the first time, or at which processes it has started. */
const ALONE = ['mcp/failed-import.test.js', 'engine/generations/builder-process.test.js']
/** Take longest: begun last, they would run on alone. */
const FIRST = ['browser', 'ask', 'adapters/mongo-document-store.test.js', 'simulation/simulation.test.js']

/** Hold the program to times that readers are promised, so they have the machine for themselves. */
const TIMED = ['cluster/rolling.slow.test.js', 'cluster/takeover.slow.test.js', 'adapters/mongo/outages.slow.test.js']

export const isTimed = ([file]) => TIMED.includes(relative(BUILT, file))

/** The files of a tier (`default` or `slow`), or those below the given folders, as lists that each run in one process. */
export function filesOf(tier, names) {
  const files = readdirSync(BUILT, { recursive: true })
    .filter((name) => name.endsWith('.test.js'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(BUILT, name), 'utf8') }))
    .filter((file) => (names.length > 0 ? names.some((part) => isBelow(file, part)) : isOf(tier, file)))
  const groups = new Map()
  for (const file of files) {
    const group = groupOf(file, tier)
    groups.set(group, [...(groups.get(group) ?? []), join(BUILT, file.name)])
  }
  const place = ([group]) => (FIRST.includes(group) ? FIRST.indexOf(group) : FIRST.length)
  return [...groups].sort((a, b) => place(a) - place(b)).flatMap(([group, members]) => (group === 'browser' ? [members] : chunks(members)))
}

const isSlow = ({ name }) => name.endsWith('.slow.test.js')

const isOf = (tier, file) => (tier === 'slow' ? isSlow(file) || hasMoreCases(file) : !isSlow(file))

/** These run in both tiers, with more cases in the slow one. */
const hasMoreCases = ({ text }) => /(support\/(tier|property)|engine\/stores|\.\/stores)\.js/.test(text)

/** `http`, `test/http` and `test/http/feed.test.ts` all name what lies in `dist/test/http`. */
function isBelow({ name }, part) {
  const wanted = part.replace(/^(dist\/)?test\//, '').replace(/\.ts$/, '.js')
  return name === wanted || name.startsWith(`${wanted.replace(/\/$/, '')}/`)
}

function groupOf(file, tier) {
  // All pages are looked at in one browser.
  if (/\/(chromium|gallery)\.js/.test(file.text)) return 'browser'
  // With all their cases, loading modules is the least of it.
  if (tier === 'slow' || isSlow(file) || ALONE.includes(file.name)) return file.name
  const isIn = (folder) => file.name.startsWith(`${folder}/`)
  return SMALL.some(isIn) ? 'small' : (SHARED.find(isIn) ?? file.name)
}

function chunks(files) {
  const count = Math.ceil(files.length / AT_ONCE)
  return Array.from({ length: count }, (_, n) => files.filter((_, index) => index % count === n))
}
