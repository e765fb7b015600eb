import type { SeededRandom } from '../random.js'
import type { Palette } from './palette.js'
import { circle, group, path, rect, stroke } from './svg.js'

/** A phone, or two, with something useful on the screen. */
export function appScene(palette: Palette, dice: SeededRandom): string[] {
  const tilt = dice.below(17) - 8
  const left = 330 + dice.below(260)
  const backdrop = bubbles(palette, dice)
  const second = dice.chance(1, 2) ? [phone(left - 250 + dice.below(40), 190, -tilt - 4, palette, dice)] : []
  return [...backdrop, ...second, phone(left, 60, tilt, palette, dice)]
}

function bubbles(palette: Palette, dice: SeededRandom): string[] {
  return Array.from({ length: 5 }, () =>
    circle(dice.below(1200), dice.below(675), 60 + dice.below(190), dice.pick(palette.accents), { opacity: 0.16 }),
  )
}

function phone(x: number, y: number, tilt: number, palette: Palette, dice: SeededRandom): string {
  const screens = [list, tiles, map, poster]
  return group(
    { transform: `translate(${x} ${y}) rotate(${tilt} 170 340)` },
    rect(10, 16, 340, 700, '#000', { rx: 52, opacity: 0.18 }),
    rect(0, 0, 340, 700, palette.ink, { rx: 52 }),
    rect(14, 14, 312, 672, palette.paper, { rx: 40 }),
    rect(126, 28, 88, 18, palette.ink, { rx: 9 }),
    ...dice.pick(screens)(palette, dice),
  )
}

function list({ accents, ink, faint }: Palette, dice: SeededRandom): string[] {
  const heading = [rect(40, 84, 120 + dice.below(100), 26, ink, { rx: 13 }), rect(40, 122, 90, 12, faint, { rx: 6 })]
  const rows = Array.from({ length: 6 }, (_, row) => {
    const y = 170 + row * 84
    return [
      rect(32, y, 276, 66, faint, { rx: 20, opacity: 0.6 }),
      circle(68, y + 33, 20, accents[(row + dice.below(3)) % 3] ?? ink),
      rect(102, y + 18, 80 + dice.below(100), 12, ink, { rx: 6 }),
      rect(102, y + 38, 50 + dice.below(70), 10, ink, { rx: 5, opacity: 0.35 }),
    ].join('')
  })
  return [...heading, ...rows]
}

function tiles({ accents, ink }: Palette, dice: SeededRandom): string[] {
  const all = Array.from({ length: 8 }, (_, tile) => {
    const x = 34 + (tile % 2) * 140
    const y = 130 + Math.floor(tile / 2) * 136
    const colour = dice.pick(accents)
    return rect(x, y, 128, 122, colour, { rx: 26, opacity: 0.85 }) + circle(x + 64, y + 54, 16 + dice.below(22), '#fff', { opacity: 0.75 })
  })
  return [rect(36, 78, 150, 28, ink, { rx: 14 }), ...all]
}

function map({ accents, ink, faint, paper }: Palette, dice: SeededRandom): string[] {
  const roads = Array.from({ length: 5 }, () =>
    stroke(`M20 ${100 + dice.below(500)} Q170 ${80 + dice.below(540)} 320 ${100 + dice.below(500)}`, paper, 10 + dice.below(12)),
  )
  const pins = Array.from({ length: 4 }, () => {
    const x = 70 + dice.below(200)
    const y = 150 + dice.below(330)
    return path(`M${x} ${y} c-34 -40 -24 -72 0 -72 s34 32 0 72 z`, dice.pick(accents)) + circle(x, y - 46, 9, '#fff')
  })
  return [
    rect(14, 62, 312, 500, faint),
    ...roads,
    ...pins,
    rect(34, 548, 272, 112, paper, { rx: 24 }),
    rect(58, 574, 130, 16, ink, { rx: 8 }),
    rect(58, 604, 190, 12, ink, { rx: 6, opacity: 0.35 }),
  ]
}

function poster({ accents, ink, faint }: Palette, dice: SeededRandom): string[] {
  const lines = Array.from({ length: 4 }, (_, line) => rect(40, 484 + line * 30, 150 + dice.below(110), 12, ink, { rx: 6, opacity: 0.4 }))
  return [
    rect(32, 76, 276, 310, accents[0], { rx: 32 }),
    circle(170, 230, 70 + dice.below(40), accents[2]),
    path(`M32 386 v-70 q70 -${40 + dice.below(80)} 138 -10 t138 -20 v68 q0 32 -32 32 h-212 q-32 0 -32 -32 z`, accents[1], { opacity: 0.9 }),
    rect(40, 424, 200, 28, ink, { rx: 14 }),
    ...lines,
    rect(40, 620, 260, 44, faint, { rx: 22 }),
  ]
}
