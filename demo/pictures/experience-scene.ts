import type { SeededRandom } from '../random.js'
import type { Palette } from './palette.js'
import { circle, path, rect, stroke } from './svg.js'

/** A place to be: hills under a large light, a sea at night, or a room of sound. */
export function experienceScene(palette: Palette, dice: SeededRandom): string[] {
  return dice.pick([hills, sea, sound])(palette, dice)
}

function light({ accents }: Palette, dice: SeededRandom): string[] {
  const x = 260 + dice.below(680)
  const y = 150 + dice.below(150)
  return [circle(x, y, 190, accents[2], { opacity: 0.18 }), circle(x, y, 140, accents[2], { opacity: 0.25 }), circle(x, y, 92, accents[2])]
}

const stars = ({ ink }: Palette, dice: SeededRandom): string[] =>
  Array.from({ length: 45 }, () => circle(dice.below(1200), dice.below(330), 1 + dice.below(3), ink, { opacity: 0.6 }))

/** A ridge from left to right, closed at the bottom. */
function ridge(base: number, swing: number, dice: SeededRandom): string {
  let d = `M0 ${base}`
  for (let x = 0; x < 1200; x += 240) d += ` q120 ${dice.below(2 * swing) - swing - 20} 240 ${dice.below(61) - 30}`
  return `${d} V675 H0 Z`
}

function hills(palette: Palette, dice: SeededRandom): string[] {
  const { accents, ink } = palette
  const layers = [360, 430, 510, 590].map((base, layer) =>
    path(ridge(base, 90 - layer * 12, dice), accents[layer % 2] ?? ink, { opacity: 0.35 + layer * 0.2 }),
  )
  const trees = Array.from({ length: 9 }, () => {
    const x = dice.below(1180)
    const height = 60 + dice.below(90)
    const y = 560 + dice.below(90)
    return path(`M${x} ${y} l26 ${-height} l26 ${height} z`, ink, { opacity: palette.dark ? 0.25 : 0.75 })
  })
  return [...(palette.dark ? stars(palette, dice) : []), ...light(palette, dice), ...layers, ...trees]
}

function sea(palette: Palette, dice: SeededRandom): string[] {
  const { accents } = palette
  const waves = Array.from({ length: 7 }, (_, row) => {
    const y = 360 + row * 48
    const shift = dice.below(160)
    return path(`M${-160 - shift} ${y} ${'q40 -30 80 0 t80 0 '.repeat(10)} V675 H-200 Z`, accents[row % 2] ?? '#fff', {
      opacity: 0.4 + row * 0.07,
    })
  })
  const x = 250 + dice.below(700)
  const boat = path(`M${x} 432 h130 l-26 40 h-78 z M${x + 62} 424 v-120 l58 104 z M${x + 54} 424 v-100 l-44 88 z`, '#fff', {
    opacity: 0.95,
  })
  return [...(palette.dark ? stars(palette, dice) : []), ...light(palette, dice), ...waves.slice(0, 2), boat, ...waves.slice(2)]
}

function sound(palette: Palette, dice: SeededRandom): string[] {
  const { accents, ink, paper } = palette
  const rings = Array.from({ length: 7 }, (_, ring) =>
    circle(600, 338, 330 - ring * 42, 'none', {
      stroke: accents[ring % 3] ?? ink,
      'stroke-width': 8 + dice.below(16),
      pathLength: 100,
      'stroke-dasharray': `${20 + dice.below(60)} ${4 + dice.below(16)}`,
      transform: `rotate(${dice.below(360)} 600 338)`,
      opacity: 0.85,
    }),
  )
  const bars = Array.from({ length: 25 }, (_, bar) => {
    const height = 20 + dice.below(Math.max(20, 190 - Math.abs(12 - bar) * 13))
    return rect(56 + bar * 44, 620 - height, 20, height, ink, { rx: 10, opacity: 0.28 })
  })
  return [...bars, ...rings, circle(600, 338, 46, paper), stroke('M586 316 l34 22 l-34 22 z', ink, 10)]
}
