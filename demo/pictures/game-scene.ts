import { at, type SeededRandom } from '../random.js'
import type { Palette } from './palette.js'
import { circle, group, path, rect, stroke } from './svg.js'

/** A moment of play: a platform world, a board of tiles, or something falling from the sky. */
export function gameScene(palette: Palette, dice: SeededRandom): string[] {
  return dice.pick([platforms, board, arena])(palette, dice)
}

const CELL = 75

function platforms(palette: Palette, dice: SeededRandom): string[] {
  const { accents, ink } = palette
  const sun = circle(180 + dice.below(840), 110 + dice.below(150), 60 + dice.below(50), accents[2], { opacity: 0.9 })
  const heights = Array.from({ length: 16 }, () => 1 + dice.skewed(4, 1, 2))
  const ground = heights.map((height, column) => {
    const y = 675 - height * CELL
    return rect(column * CELL, y, CELL, height * CELL, accents[0]) + rect(column * CELL, y, CELL, 18, accents[1])
  })
  const coins = Array.from({ length: 7 }, () => {
    const column = dice.below(16)
    const y = 675 - at(heights, column) * CELL - 60 - dice.below(150)
    return circle(column * CELL + 37, y, 17, accents[2], { stroke: ink, 'stroke-width': 5 })
  })
  const home = 2 + dice.below(12)
  return [sun, ...clouds(palette, dice), ...ground, ...coins, hero(home * CELL, 675 - at(heights, home) * CELL - 92, palette, dice)]
}

function board({ accents, paper, faint }: Palette, dice: SeededRandom): string[] {
  const size = 5 + dice.below(2)
  const tile = 540 / size
  const tiles = Array.from({ length: size * size }, (_, cell) => {
    const x = 330 + (cell % size) * tile
    const y = 68 + Math.floor(cell / size) * tile
    const filled = dice.chance(3, 5)
    const colour = filled ? dice.pick(accents) : faint
    return rect(x + 5, y + 5, tile - 10, tile - 10, colour, { rx: 18 }) + (filled ? mark(x + tile / 2, y + tile / 2, tile / 5, dice) : '')
  })
  return [
    rect(310, 50, 600, 600, '#000', { rx: 48, opacity: 0.16 }),
    rect(300, 38, 600, 600, paper, { rx: 48 }),
    ...tiles,
    ...confetti(accents, dice, 26),
  ]
}

function mark(x: number, y: number, r: number, dice: SeededRandom): string {
  const white = { opacity: 0.85 }
  return dice.pick([
    circle(x, y, r, '#fff', white),
    rect(x - r, y - r, 2 * r, 2 * r, '#fff', { rx: 8, ...white }),
    path(`M${x} ${y - r} l${r} ${2 * r} h${-2 * r} z`, '#fff', white),
    path(`M${x - r} ${y} l${r} ${-r} l${r} ${r} l${-r} ${r} z`, '#fff', white),
  ])
}

function arena({ accents, ink }: Palette, dice: SeededRandom): string[] {
  const stars = Array.from({ length: 60 }, () => circle(dice.below(1200), dice.below(675), 1 + dice.below(4), ink, { opacity: 0.5 }))
  const rocks = Array.from({ length: 7 }, () => {
    const r = 26 + dice.below(64)
    const x = 80 + dice.below(1040)
    const y = 40 + dice.below(400)
    return (
      circle(x, y, r, dice.pick(accents)) +
      circle(x - r / 3, y - r / 4, r / 4, ink, { opacity: 0.2 }) +
      circle(x + r / 3, y + r / 3, r / 6, ink, { opacity: 0.2 })
    )
  })
  const x = 250 + dice.below(700)
  const ship = group(
    { transform: `translate(${x} 560) rotate(${dice.below(41) - 20})` },
    path('M0 -90 q46 60 40 120 h-80 q-6 -60 40 -120 z', '#fff'),
    circle(0, -16, 17, accents[0]),
    path('M-40 0 l-34 50 l34 -16 z M40 0 l34 50 l-34 -16 z', accents[1]),
    path('M-22 34 q22 86 44 0 z', accents[2]),
  )
  const beam = stroke(`M${x} 440 v-${120 + dice.below(200)}`, accents[2], 8, { 'stroke-dasharray': '26 30' })
  return [...stars, ...rocks, beam, ship]
}

function hero(x: number, y: number, { accents }: Palette, dice: SeededRandom): string {
  const ears = dice.pick(['M8 20 l-4 -34 l26 20 z M68 20 l4 -34 l-26 20 z', 'M20 8 v-34 M56 8 v-34', 'M38 6 q-6 -30 20 -34'])
  return group(
    { transform: `translate(${x} ${y})` },
    path(ears, accents[1], { stroke: accents[1], 'stroke-width': 8, 'stroke-linecap': 'round' }),
    rect(0, 6, 76, 86, '#fff', { rx: 30 }),
    circle(26, 42, 8, '#222'),
    circle(52, 42, 8, '#222'),
    stroke('M28 64 q11 10 22 0', '#222', 5),
  )
}

function clouds({ dark }: Palette, dice: SeededRandom): string[] {
  return Array.from({ length: 4 }, () => {
    const x = dice.below(1100)
    const y = 50 + dice.below(220)
    return path(`M${x} ${y} h150 a36 36 0 0 0 -34 -50 a52 52 0 0 0 -92 -6 a34 34 0 0 0 -24 56 z`, '#fff', { opacity: dark ? 0.18 : 0.8 })
  })
}

function confetti(accents: readonly string[], dice: SeededRandom, count: number): string[] {
  return Array.from({ length: count }, () => {
    const x = dice.chance(1, 2) ? dice.below(270) : 920 + dice.below(270)
    const y = dice.below(650)
    return rect(x, y, 14, 26, dice.pick(accents), { rx: 5, transform: `rotate(${dice.below(180)} ${x} ${y})` })
  })
}
