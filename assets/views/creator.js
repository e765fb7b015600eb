/** A creator: who they are, what they have made, what they are best at. */
const { host, parts } = globalThis
const { el, list, text } = parts

const APPS = 6

const draw = ({ handle, displayName, bio, avatarUrl, url, links, stats, apps, topScores }) => [
  el(
    'header',
    { className: 'person' },
    parts.picture(avatarUrl, displayName, 'avatar'),
    el('div', {}, el('h1', {}, text(displayName)), parts.link(url, {}, `@${text(handle)}`)),
  ),
  text(bio) === '' ? null : el('p', {}, text(bio)),
  el('dl', { className: 'totals' }, ...totals(stats)),
  list(links).length === 0 ? null : el('p', { className: 'chips' }, ...list(links).map(linkChip)),
  made(list(apps), stats),
  best(list(topScores)),
]

const totals = (stats) =>
  [
    ['apps', stats?.apps],
    ['likes', stats?.likes],
    ['plays', stats?.plays],
    ['followers', stats?.followers],
  ].map(([label, value]) => el('div', {}, el('dt', {}, label), el('dd', {}, parts.count(value))))

const linkChip = ({ label, url }) => parts.link(url, { className: 'chip' }, text(label))

const made = (apps, stats) => {
  if (apps.length === 0) return null
  const more = (stats?.apps ?? apps.length) - APPS
  const note = more > 0 ? el('small', {}, `and ${parts.number(more)} more`) : null
  return el('section', {}, el('h2', {}, 'Newest ', note), parts.cards(apps.slice(0, APPS)))
}

const best = (scores) =>
  scores.length === 0
    ? null
    : el('section', {}, el('h2', {}, 'Best scores'), el('ol', { className: 'scores' }, ...scores.slice(0, 5).map(scoreRow)))

const scoreRow = ({ title, handle, score }) =>
  el('li', {}, el('span', {}, text(title), el('small', {}, ` @${text(handle)}`)), el('b', {}, parts.number(score)))

host.connect('vitrine-creator', parts.show(draw))
