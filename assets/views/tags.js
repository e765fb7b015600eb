/** Tags by how often they are used. Choosing one shows its creations below. */
const { host, parts } = globalThis
const { el, list, text, replace } = parts

/** More would be a wall. */
const SHOWN = 24

const draw = ({ items, total }) => {
  const tags = list(items)
  const most = Math.max(1, ...tags.map(({ count }) => Number(count) || 0))
  const chosen = el('section', { ariaLive: 'polite' })
  return [
    el('header', {}, el('h1', {}, 'Popular tags'), el('small', {}, `${parts.number(total)} in use`)),
    el('p', { className: 'chips cloud' }, ...tags.slice(0, SHOWN).map((tag) => chip(tag, most, chosen))),
    chosen,
  ]
}

const chip = ({ key, label, count }, most, chosen) => {
  const element = host.callsTools ? parts.button('', () => choose(key, label, chosen)) : el('span', {})
  element.classList.add('chip')
  // Up to 1 for the most used.
  element.style.setProperty('--weight', String(Math.sqrt((Number(count) || 0) / most)))
  element.append(text(label), el('small', {}, parts.count(count)))
  return element
}

const choose = async (tag, label, chosen) => {
  const page = parts.dataOf(await host.callTool('get_community_feed', { tag, limit: 6 }))
  replace(chosen, el('h2', {}, `Trending in “${text(label)}”`), parts.cards(page?.items))
}

host.connect('vitrine-tags', parts.show(draw))
