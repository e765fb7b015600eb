import t from 'tap'
import { CommunityFeedPage } from '../../readmodels/feed/public-reads.js'
import { dataOf } from '../harness/answers.js'
import { COMMUNITY } from '../harness/community.js'
import { Service } from '../harness/service.js'

await t.test('text search in an order of the feed', async (t) => {
  const service = await Service.start(t, { events: COMMUNITY })
  const found = async (q: string, rest = '') => {
    const url = `/public/share/community?sort=liked&q=${encodeURIComponent(q)}${rest}`
    const { items, total } = dataOf(CommunityFeedPage, await service.get(url))
    t.equal(total, items.length, `${q}: the total counts what is shown`)
    return items.map(({ id }) => id)
  }
  const table: [what: string, q: string, ids: string[]][] = [
    ['a word of the title', 'tide', ['tides']],
    ['in any case', 'TIDE', ['tides']],
    ['a word of the description', 'snow', ['mazetwo']],
    ['a tag', 'puzzle', ['mazetwo', 'maze']],
    ['every word must occur', 'garden maze', ['mazetwo', 'maze']],
    ['and in any order', 'maze garden', ['mazetwo', 'maze']],
    ['one word that does not occur is too many', 'garden submarine', []],
    ['small words need not occur', 'the garden with a maze', ['mazetwo', 'maze']],
    ['the beginning of a word is none', 'garden win', []],
    ['plurals are folded away', 'mazes clocks', []],
    ['plurals are folded away', 'clocks', ['tides']],
    ['accents are folded away', 'angela', ['maze']],
    ['accents are folded away from the question, too', 'Ängela', ['maze']],
    ['other languages of the same creation', 'Gezeitenuhr', ['tides']],
    ['a script without spaces', '潮汐', ['tides']],
    ['full-width letters', 'ｔｉｄｅ', ['tides']],
    ['blanks around it', '  tide  ', ['tides']],
    ['punctuation', 'tide-clock!', ['tides']],
    ['a word twice', 'tide tide', ['tides']],
    ['what is not public', 'draft', []],
    ['nothing but signs', '!?…', []],
    ['nothing but a zero', '\u0000', []],
    ['blanks are no text at all', '   ', ['mazetwo', 'maze', 'tides', 'plants']],
    ['SQL', "' OR 1=1 --", []],
    ['wildcards', '%', []],
    ['wildcards', 'ti_e', []],
    ['a word that is a name of every object', 'constructor', []],
    ['emoji', '🌊', []],
  ]
  for (const [what, q, ids] of table) t.strictSame(await found(q), ids, `${what}: ${JSON.stringify(q)}`)

  t.strictSame(await found('garden win', '&prefix=true'), ['mazetwo'], 'the last word may be a beginning, where that is said')
  t.strictSame(await found('win garden', '&prefix=true'), [], 'but only the last')
  t.strictSame(await found('wasser zurückk', '&prefix=true'), ['tides'], 'in any language')

  t.strictSame(await found('maze', '&category=tools'), [], 'within a category')
  t.strictSame(await found('garden', '&tag=sea'), ['plants'], 'within a tag')
  t.strictSame(await found('maze', '&featuredOnly=true'), ['maze'], 'within the featured')
})
