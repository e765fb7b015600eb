import { at, type SeededRandom } from '../random.js'
import type { Palette } from './palette.js'
import { circle, group, path, rect, stroke } from './svg.js'

/** A home screen with one large widget and a few small ones. */
export function widgetScene(palette: Palette, dice: SeededRandom): string[] {
  const mirrored = dice.chance(1, 2)
  const large = mirrored ? 690 : 130
  const small = mirrored ? 130 : 530
  const face = dice.below(FACES.length)
  const other = (face + 1 + dice.below(FACES.length - 1)) % FACES.length
  const icons = [0, 1, 2].map((nth) => tile(small + nth * 190, 390, 170, palette, icon(palette, dice)))
  return [
    ...specks(palette, dice),
    tile(large, 130, 380, palette, group({ transform: 'translate(190 190)' }, ...at(FACES, face)(palette, dice))),
    tile(small, 130, 240, palette, group({ transform: 'translate(120 120) scale(0.62)' }, ...at(FACES, other)(palette, dice))),
    tile(small + 260, 130, 290, palette, note(palette, dice), 240),
    ...icons,
  ]
}

function tile(x: number, y: number, width: number, { paper }: Palette, content: string, height = width): string {
  const rx = Math.floor(Math.min(width, height) / 5)
  return group(
    { transform: `translate(${x} ${y})` },
    rect(6, 10, width, height, '#000', { rx, opacity: 0.14 }),
    rect(0, 0, width, height, paper, { rx }),
    content,
  )
}

function dial({ accents, ink, faint }: Palette, dice: SeededRandom): string[] {
  const ticks = Array.from({ length: 12 }, (_, hour) => stroke('M0 -148 v16', ink, 8, { transform: `rotate(${hour * 30})`, opacity: 0.5 }))
  return [
    circle(0, 0, 166, faint),
    ...ticks,
    stroke('M0 0 V-80', ink, 16, { transform: `rotate(${dice.below(360)})` }),
    stroke('M0 0 V-124', accents[0], 10, { transform: `rotate(${dice.below(360)})` }),
    circle(0, 0, 14, accents[2]),
  ]
}

function weather({ accents, ink }: Palette, dice: SeededRandom): string[] {
  const drops = Array.from({ length: 5 }, (_, drop) => stroke(`M${-100 + drop * 48} ${100 + dice.below(20)} l-14 34`, accents[0], 10))
  return [
    circle(70, -70, 74, accents[2]),
    path('M-130 70 h220 a60 60 0 0 0 -10 -118 a90 90 0 0 0 -168 -4 a62 62 0 0 0 -42 122 z', ink, { opacity: 0.82 }),
    ...(dice.chance(1, 2) ? drops : [rect(-120, 106, 130 + dice.below(110), 20, accents[0], { rx: 10 })]),
  ]
}

function moons({ accents, ink, faint }: Palette, dice: SeededRandom): string[] {
  const shade = dice.below(150) - 75
  return [
    circle(0, -20, 120, accents[2]),
    path(`M0 -140 a120 120 0 0 ${shade > 0 ? 1 : 0} 0 240 q${shade * 2} -120 0 -240 z`, ink, { opacity: 0.75 }),
    ...[-2, -1, 0, 1, 2].map((day) => circle(day * 56, 148, 15, day === 0 ? accents[0] : faint)),
  ]
}

function bars({ accents, faint }: Palette, dice: SeededRandom): string[] {
  return Array.from({ length: 6 }, (_, bar) => {
    const height = 50 + dice.below(220)
    const x = -144 + bar * 50
    return rect(x, -140, 34, 280, faint, { rx: 17 }) + rect(x, 140 - height, 34, height, accents[bar % 3] ?? faint, { rx: 17 })
  })
}

function note({ ink, accents }: Palette, dice: SeededRandom): string {
  const lines = [0, 1, 2].map((line) => rect(36, 112 + line * 34, 110 + dice.below(110), 16, ink, { rx: 8, opacity: 0.38 }))
  return rect(36, 46, 130, 36, accents[1], { rx: 18 }) + lines.join('')
}

const FACES = [dial, weather, moons, bars]

function icon({ accents }: Palette, dice: SeededRandom): string {
  const colour = dice.pick(accents)
  const shape = dice.pick([
    circle(85, 85, 44, colour),
    rect(45, 45, 80, 80, colour, { rx: 24 }),
    path('M85 36 l46 92 h-92 z', colour, { stroke: colour, 'stroke-width': 12, 'stroke-linejoin': 'round' }),
    path('M85 130 c-70 -46 -54 -92 -22 -92 q16 0 22 18 q6 -18 22 -18 c32 0 48 46 -22 92 z', colour),
    stroke('M48 92 l26 28 l50 -62', colour, 20),
  ])
  return shape
}

function specks({ accents }: Palette, dice: SeededRandom): string[] {
  return Array.from({ length: 9 }, () =>
    circle(dice.below(1200), dice.below(675), 20 + dice.below(90), dice.pick(accents), { opacity: 0.18 }),
  )
}
