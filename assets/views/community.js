/** The community feed, a page at a time, or the rails of the landing page. */
const { host, parts } = globalThis
const { el, list, text, replace } = parts

const SORTS = { trending: 'Trending', recent: 'New', popular: 'Played', liked: 'Liked', remixed: 'Remixed' }

const drawFeed = (page) => {
  const cards = parts.cards(page.items)
  const body = el('section', {}, cards)
  if (list(page.items).length === 0) replace(body, el('p', { className: 'note' }, 'Nothing matches.'))
  return [
    el('header', {}, el('h1', {}, 'Community'), el('small', {}, `${parts.number(page.total)} creations`)),
    host.callsTools ? sorts(page.pagination?.sort) : null,
    body,
    more(page, cards),
  ]
}

const sorts = (current) =>
  el(
    'nav',
    { ariaLabel: 'Order' },
    ...Object.entries(SORTS).map(([sort, label]) => parts.button(label, () => load({ sort }), { ariaPressed: String(sort === current) })),
  )

/** The last page has no next one, and a host that calls no tools cannot get it. */
const more = (page, cards) => {
  if (!host.callsTools || typeof page.next_cursor !== 'string') return null
  let next = page.next_cursor
  return parts.button(
    'Show more',
    async (button) => {
      const found = parts.dataOf(await host.callTool('get_community_feed', { sort: page.pagination?.sort, ...filter, cursor: next }))
      cards.append(...parts.cards(found?.items).children)
      next = found?.next_cursor
      if (typeof next !== 'string') button.remove()
    },
    { className: 'more' },
  )
}

/** Changing the order keeps what the feed was asked for. */
let filter = {}

const load = async (changes) => view.show(await host.callTool('get_community_feed', { ...filter, ...changes }))

const drawLanding = ({ spotlight, rails, categories }) => [
  list(spotlight).length === 0 ? null : section('Spotlight', parts.cards(list(spotlight).slice(0, 2))),
  ...list(rails)
    .filter(({ items }) => list(items).length > 0)
    .map(({ title, items }) => section(text(title), parts.rail(items))),
  section(
    'Categories',
    el('p', { className: 'chips' }, ...list(categories).map(({ label, count }) => parts.chip(label, parts.count(count)))),
  ),
]

const section = (title, content) => el('section', {}, el('h2', {}, title), content)

const view = parts.show((data) => (Array.isArray(data.rails) ? drawLanding(data) : drawFeed(data)))

host.connect('vitrine-community', {
  ...view,
  input: ({ category, tag, q, featuredOnly, locale, limit }) => {
    filter = Object.fromEntries(
      Object.entries({ category, tag, q, featuredOnly, locale, limit }).filter(([, value]) => value !== undefined),
    )
  },
})
