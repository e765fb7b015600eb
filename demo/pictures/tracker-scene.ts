import type { SeededRandom } from '../random.js'
import type { Palette } from './palette.js'
import { circle, path, rect, stroke } from './svg.js'

/** Something counted: a curve, a calendar of squares, or rings. */
export function trackerScene(palette: Palette, dice: SeededRandom): string[] {
  return [rect(110, 92, 1000, 510, '#000', { rx: 56, opacity: 0.14 }), card(palette), ...dice.pick([curve, calendar, rings])(palette, dice)]
}

const card = ({ paper }: Palette): string => rect(100, 80, 1000, 510, paper, { rx: 56 })

function curve({ accents, ink, faint }: Palette, dice: SeededRandom): string[] {
  const points: [number, number][] = []
  let level = 380 + dice.below(100)
  for (let day = 0; day < 11; day++) {
    level = Math.max(230, Math.min(520, level + dice.below(131) - 74))
    points.push([160 + day * 88, level])
  }
  const [[x0, y0] = [0, 0], ...rest] = points
  // Control points half-way between two days keep the line smooth without any trigonometry.
  const line = rest.reduce((d, [x, y], index) => {
    const before = points[index]?.[1] ?? y
    return `${d} C${x - 44} ${before} ${x - 44} ${y} ${x} ${y}`
  }, `M${x0} ${y0}`)
  return [
    rect(160, 130, 220 + dice.below(160), 34, ink, { rx: 17 }),
    rect(160, 182, 150, 16, ink, { rx: 8, opacity: 0.3 }),
    ...[260, 340, 420, 500].map((y) => stroke(`M160 ${y} H1040`, faint, 3)),
    path(`${line} V545 H160 Z`, accents[0], { opacity: 0.22 }),
    stroke(line, accents[0], 12),
    ...points.map(([x, y], day) => (day % 2 === 0 ? circle(x, y, 12, accents[day === 10 ? 2 : 1]) : '')),
  ]
}

function calendar({ accents, faint, ink }: Palette, dice: SeededRandom): string[] {
  const squares = Array.from({ length: 15 * 6 }, (_, day) => {
    const x = 156 + (day % 15) * 60
    const y = 212 + Math.floor(day / 15) * 60
    const much = dice.skewed(4, 3, 5)
    const colour = much === 0 ? faint : (accents[dice.chance(1, 14) ? 2 : 0] ?? ink)
    return rect(x, y, 48, 48, colour, { rx: 12, opacity: much === 0 ? 0.7 : 0.28 + 0.24 * much })
  })
  return [rect(156, 128, 240 + dice.below(200), 36, ink, { rx: 18 }), circle(1022, 146, 22, accents[1]), ...squares]
}

function rings({ accents, faint, ink }: Palette, dice: SeededRandom): string[] {
  const all = accents.flatMap((colour, ring) => {
    const r = 200 - ring * 58
    const share = 30 + dice.below(66)
    return [
      circle(360, 335, r, 'none', { stroke: faint, 'stroke-width': 42 }),
      circle(360, 335, r, 'none', {
        stroke: colour,
        'stroke-width': 42,
        'stroke-linecap': 'round',
        pathLength: 100,
        'stroke-dasharray': `${share} 100`,
        transform: 'rotate(-90 360 335)',
      }),
    ]
  })
  const bars = Array.from({ length: 5 }, (_, row) => {
    const y = 176 + row * 70
    return [
      rect(660, y, 380, 24, faint, { rx: 12 }),
      rect(660, y, 90 + dice.below(290), 24, accents[row % 3] ?? ink, { rx: 12 }),
      rect(660, y - 26, 70 + dice.below(120), 12, ink, { rx: 6, opacity: 0.4 }),
    ].join('')
  })
  return [...all, ...bars]
}
