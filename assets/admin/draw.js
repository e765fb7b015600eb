/** Elements from data. Text is only ever set as text: names and errors come from events, and events from anybody. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
    else element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false))
  return element
}

const SVG = 'http://www.w3.org/2000/svg'

/** Lag over time, with its scale: from zero to the largest value, from the oldest sample to now. `samples` are `[secondsAgo, lag]`. */
export function lagGraph(name, samples) {
  const largest = Math.max(0, ...samples.map(([, lag]) => lag))
  const [oldest = 0] = samples[0] ?? []
  const label = `lag of ${name} over the last ${span(oldest)}: at most ${counted(largest, 'event')}`
  // What the picture's name says already is not read out twice.
  const scale = (place, text) => el('span', { class: place, 'aria-hidden': 'true' }, text)
  return el(
    'div',
    { class: 'graph' },
    largest > 0 && scale('most', number(largest)),
    scale('least', '0'),
    curve(samples, oldest, largest, label),
    oldest > 0 && scale('from', `${span(oldest)} ago`),
    scale('until', 'now'),
  )
}

const WIDTH = 240
const HEIGHT = 44

/** A line on a filled ground. */
function curve(samples, oldest, largest, label) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`)
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', label)
  svg.setAttribute('class', 'spark')
  const shape = (name, kind, points) => {
    const drawn = document.createElementNS(SVG, name)
    drawn.setAttribute('class', kind)
    drawn.setAttribute('points', points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' '))
    svg.append(drawn)
  }
  const points = samples.map(([ago, lag]) => [
    (1 - ago / Math.max(1, oldest)) * WIDTH,
    HEIGHT - 1 - (lag / Math.max(1, largest)) * (HEIGHT - 2),
  ])
  if (points.length > 1) {
    const [end] = points.at(-1)
    shape('polygon', 'ground', [[0, HEIGHT], ...points, [end, HEIGHT]])
    shape('polyline', 'line', points)
  }
  return svg
}

export const number = (value) => Math.round(value).toLocaleString('en')

export function span(seconds) {
  if (seconds < 1) return '< 1 s'
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

export const ms = (value) => (value < 10 ? `${value.toFixed(1)} ms` : `${number(value)} ms`)

export const clock = (at) => new Date(at).toLocaleTimeString('en-GB')

/** A table, or a sentence when there is nothing to tell. */
export function table(head, rows, nothing) {
  if (rows.length === 0) return el('p', { class: 'soft' }, nothing)
  // The roles are said, because a narrow screen shows rows as blocks, and then browsers no longer take them for a table's.
  const cellOf = (cell, column) =>
    el('td', { role: 'cell', 'data-label': head[column] || null, class: /^[\d,.]+( ms)?$/.test(cell) ? 'number' : null }, cell)
  return el(
    'div',
    { class: 'scroll' },
    el(
      'table',
      { role: 'table' },
      el(
        'thead',
        { role: 'rowgroup' },
        el('tr', { role: 'row' }, ...head.map((title) => el('th', { scope: 'col', role: 'columnheader' }, title))),
      ),
      el(
        'tbody',
        { role: 'rowgroup' },
        rows.map((cells) => el('tr', { role: 'row' }, ...cells.map(cellOf))),
      ),
    ),
  )
}

export const counted = (count, one) => `${number(count)} ${one}${count === 1 ? '' : 's'}`
