/** Just enough SVG: elements with escaped attributes, nothing that could carry a script or fetch a thing. */
export type Attributes = Record<string, string | number>

export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
    .join('')
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`
}

export const rect = (x: number, y: number, width: number, height: number, fill: string, more: Attributes = {}): string =>
  element('rect', { x, y, width, height, fill, ...more })

export const circle = (cx: number, cy: number, r: number, fill: string, more: Attributes = {}): string =>
  element('circle', { cx, cy, r, fill, ...more })

export const path = (d: string, fill: string, more: Attributes = {}): string => element('path', { d, fill, ...more })

/** A stroke of round ends, e.g. a hand of a clock or a line of text. */
export const stroke = (d: string, colour: string, width: number, more: Attributes = {}): string =>
  path(d, 'none', { stroke: colour, 'stroke-width': width, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', ...more })

export const group = (attributes: Attributes, ...children: string[]): string => element('g', attributes, ...children, '')

/** A vertical fade, as a definition; refer to it with `url(#id)`. */
export const fade = (id: string, from: string, to: string): string =>
  element(
    'linearGradient',
    { id, x1: 0, y1: 0, x2: 0.35, y2: 1 },
    element('stop', { offset: 0, 'stop-color': from }),
    element('stop', { offset: 1, 'stop-color': to }),
  )

export function picture(width: number, height: number, ...children: string[]): string {
  return element('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' }, ...children)
}

function escaped(value: string): string {
  return value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
