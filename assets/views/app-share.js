/** One creation, as its share page shows it. */
const { host, parts } = globalThis
const { el, list, text } = parts

const draw = ({ title, description, coverUrl, url, kind, category, tags, creator, stats, remixOf, leaderboard, remixes }) => [
  parts.picture(coverUrl, title, 'banner'),
  el('h1', {}, text(title)),
  el(
    'header',
    { className: 'person' },
    parts.picture(creator?.avatarUrl, creator?.displayName, 'avatar small'),
    el('div', {}, el('b', {}, text(creator?.displayName)), el('span', { className: 'by' }, `@${text(creator?.handle)}`)),
    parts.link(url, { className: 'open' }, 'Open'),
  ),
  el('p', {}, text(description)),
  origin(remixOf),
  el(
    'p',
    { className: 'stats large' },
    parts.stat('likes', stats?.likes),
    parts.stat('plays', stats?.plays),
    parts.stat('remixes', stats?.remixes),
  ),
  el(
    'p',
    { className: 'chips' },
    ...[kind, category, ...(Array.isArray(tags) ? tags.map((tag) => `#${text(tag)}`) : [])].map((label) => parts.chip(label)),
  ),
  ranking(list(leaderboard)),
  list(remixes).length === 0 ? null : el('section', {}, el('h2', {}, 'Remixes'), parts.rail(remixes)),
]

const origin = (remixOf) =>
  typeof remixOf === 'object' && remixOf !== null
    ? el('p', { className: 'by' }, 'A remix of ', el('b', {}, text(remixOf.title)), ` by @${text(remixOf.handle)}`)
    : null

const ranking = (leaders) =>
  leaders.length === 0
    ? null
    : el('section', {}, el('h2', {}, 'Leaderboard'), el('ol', { className: 'scores' }, ...leaders.slice(0, 5).map(leaderRow)))

/** Somebody without a public profile still holds their place. */
const leaderRow = ({ displayName, score }) =>
  el('li', {}, el('span', {}, text(displayName) || 'Somebody'), el('b', {}, parts.number(score)))

host.connect('vitrine-app-share', parts.show(draw))
