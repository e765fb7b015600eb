import t from 'tap'
import { avatarSvg, coverSvg, DEMO_DEFAULTS, demoLog } from '../../demo/index.js'
import { KINDS } from '../../src/events/index.js'

/** Reads just enough XML to tell whether elements nest, and which elements and attributes occur. */
function read(xml: string): { elements: Set<string>; attributes: Map<string, string[]> } {
  const open: string[] = []
  const elements = new Set<string>()
  const attributes = new Map<string, string[]>()
  let end = 0
  for (const match of xml.matchAll(/<(\/?)([A-Za-z]+)((?: [A-Za-z0-9-]+="[^"<>]*")*)(\/?)>/g)) {
    if (match.index !== end) throw new Error(`stray text at ${end}: ${xml.slice(end, match.index)}`)
    end = match.index + match[0].length
    const [, closing, name = '', list = '', empty] = match
    if (closing === '/') {
      if (open.pop() !== name) throw new Error(`${name} is closed but was not open`)
      continue
    }
    if (open.length === 0 && elements.size > 0) throw new Error('more than one root')
    elements.add(name)
    for (const [, key = '', value = ''] of list.matchAll(/ ([A-Za-z0-9-]+)="([^"]*)"/g))
      attributes.set(key, [...(attributes.get(key) ?? []), value])
    if (empty !== '/') open.push(name)
  }
  if (end !== xml.length || open.length > 0) throw new Error('the document does not end where it should')
  return { elements, attributes }
}

const HARMLESS = new Set(['svg', 'defs', 'linearGradient', 'stop', 'g', 'rect', 'circle', 'path'])

const keys = [...KINDS.flatMap((kind) => Array.from({ length: 40 }, (_, nth) => `${kind}-sky-${nth}`)), 'category-food', 'anything', '']

t.test('pictures are well-formed, self-contained and harmless', async (t) => {
  for (const picture of [...keys.map(coverSvg), ...keys.map(avatarSvg)]) {
    const { elements, attributes } = read(picture)
    const odd = [...elements].filter((name) => !HARMLESS.has(name))
    const references = [...attributes.entries()].filter(([key]) => key.startsWith('on') || key.includes('href') || key === 'style')
    const numbers = [...attributes.values()].flat().filter((value) => /NaN|undefined|Infinity/.test(value))
    if (odd.length + references.length + numbers.length > 0) t.fail(`odd: ${[...odd, ...references.flat(2), ...numbers].join(', ')}`)
    t.match(attributes.get('xmlns'), ['http://www.w3.org/2000/svg'])
    t.notMatch(picture.replace('http://www.w3.org/2000/svg', ''), /https?:|data:|javascript:/)
  }
})

t.test('a hostile key leaves no trace', async (t) => {
  for (const key of ['"><script>alert(1)</script>', 'game-"onload="x-1', "app-'&<-x"]) {
    for (const picture of [coverSvg(key), avatarSvg(key)]) {
      read(picture)
      t.notMatch(picture, /script|onload|alert/)
    }
  }
})

t.test('the same key gives the same picture, another key another', async (t) => {
  t.equal(coverSvg('game-sky-abc'), coverSvg('game-sky-abc'))
  t.equal(avatarSvg('person-abc'), avatarSvg('person-abc'))
  t.equal(new Set(keys.map(coverSvg)).size, keys.length)
  t.equal(new Set(keys.map(avatarSvg)).size, keys.length)
  t.match(coverSvg('app-sky-1'), 'viewBox="0 0 1200 675"')
  t.match(avatarSvg('person-1'), 'viewBox="0 0 400 400"')
})

t.test('the log names pictures by keys that can be served', async (t) => {
  const odd: string[] = []
  const found = { covers: new Set<string>(), avatars: new Set<string>() }
  for (const { payload } of demoLog({ ...DEMO_DEFAULTS, webUrl: 'http://localhost:3001' })) {
    for (const [, url = ''] of payload.matchAll(/"(?:coverUrl|avatarUrl)":"([^"]*)"/g)) {
      const [, folder, key = ''] = /^http:\/\/localhost:3001\/(covers|avatars)\/([a-z0-9-]{1,80})\.svg$/.exec(url) ?? []
      if (folder === 'covers' || folder === 'avatars') found[folder].add(key)
      else odd.push(url)
    }
  }
  t.same(odd, [])
  t.ok(found.covers.size > 3_900 && found.avatars.size > 370, `${found.covers.size} covers, ${found.avatars.size} avatars`)
})
