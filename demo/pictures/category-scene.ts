import type { SeededRandom } from '../random.js'
import type { Palette } from './palette.js'
import { circle, path, rect } from './svg.js'

/** A pattern of large simple shapes: calm enough to carry a label. */
export function categoryScene({ accents, paper }: Palette, dice: SeededRandom): string[] {
  const cell = 225
  const turned = dice.below(4)
  return Array.from({ length: 18 }, (_, nth) => {
    const x = (nth % 6) * 200
    const y = Math.floor(nth / 6) * cell
    const colour = accents[(nth + dice.below(3)) % 3] ?? paper
    const shape = dice.pick([
      circle(x + 100, y + 112, 92, colour),
      path(`M${x} ${y} h200 a200 225 0 0 1 -200 225 z`, colour),
      path(`M${x + 200} ${y + 225} h-200 a200 225 0 0 1 200 -225 z`, colour),
      rect(x + 20, y + 32, 160, 160, colour, { rx: 44 }),
      circle(x + 100, y + 112, 70, 'none', { stroke: colour, 'stroke-width': 36 }),
      path(`M${x + 100} ${y + 22} l90 90 l-90 90 l-90 -90 z`, colour),
    ])
    return (nth + turned) % 5 === 0 ? rect(x, y, 200, cell, paper, { opacity: 0.4 }) + shape : shape
  })
}
