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

/** Lag over time: a line on a filled ground, from zero to the largest value. */
export function sparkline(values, label) {
  const width = 240
  const height = 44
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`)
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', label)
  svg.setAttribute('class', 'spark')
  const most = Math.max(1, ...values)
  const step = width / Math.max(1, values.length - 1)
  const points = values.map((value, i) => `${(i * step).toFixed(1)},${(height - 2 - (value / most) * (height - 6)).toFixed(1)}`)
  const shape = (name, name2) => {
    const line = document.createElementNS(SVG, name)
    line.setAttribute('class', name2)
    svg.append(line)
    return line
  }
  if (points.length > 1) {
    shape('polygon', 'ground').setAttribute('points', `0,${height} ${points.join(' ')} ${width},${height}`)
    shape('polyline', 'line').setAttribute('points', points.join(' '))
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
