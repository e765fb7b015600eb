import { SeededRandom, seedOf } from '../random.js'
import { circle, element, fade, group, path, picture, rect, stroke } from './svg.js'

const SIZE = 400
const SKIN = ['#f3d3b8', '#e5b48f', '#c98d63', '#a86b45', '#7d4a2e', '#5a3422', '#f7dfc8', '#d9a074']
const HAIR = ['#2a1d18', '#4a2f22', '#7a4a2b', '#b9793f', '#d9b46b', '#8f8a86', '#1d1d24', '#a63d2f', '#e8e4de']

/** The picture of a person for a key: always the same for the same key, never containing the key. */
export function avatarSvg(key: string): string {
  const dice = new SeededRandom(seedOf(key))
  const hue = dice.below(360)
  const id = `a${seedOf(key).toString(36)}`
  const content = dice.chance(3, 4) ? portrait(dice, hue) : emblem(dice, hue)
  return picture(
    SIZE,
    SIZE,
    element('defs', {}, fade(id, `hsl(${hue}, 68%, 82%)`, `hsl(${(hue + 40) % 360}, 62%, 62%)`)),
    rect(0, 0, SIZE, SIZE, `url(#${id})`),
    ...content,
  )
}

function portrait(dice: SeededRandom, hue: number): string[] {
  const skin = dice.pick(SKIN)
  const hair = dice.pick(HAIR)
  const shirt = `hsl(${(hue + 180 + dice.below(80) - 40) % 360}, 52%, ${38 + dice.below(24)}%)`
  const back = dice.pick([
    '',
    path('M112 190 q-16 130 10 170 h156 q26 -40 10 -170 z', hair),
    path('M118 180 q-40 90 -6 120 q40 20 60 -40 h56 q20 60 60 40 q34 -30 -6 -120 z', hair),
  ])
  const top = dice.pick([
    path('M118 180 q-8 -110 82 -110 t82 110 q-30 -52 -82 -52 t-82 52 z', hair),
    path('M116 190 q-20 -124 90 -122 q100 4 78 122 q-14 -50 -60 -66 q-60 30 -108 66 z', hair),
    path('M126 150 q10 -78 74 -78 t74 78 q-74 -34 -148 0 z', hair),
    circle(150, 108, 46, hair) +
      circle(200, 88, 52, hair) +
      circle(250, 108, 46, hair) +
      path('M118 170 q0 -70 82 -70 t82 70 q-82 -50 -164 0 z', hair),
    path('M112 168 q10 -100 88 -100 t88 100 h-176 z', shirt) + rect(106, 156, 188, 24, shirt, { rx: 12 }),
  ])
  return [
    back,
    path('M60 400 q10 -110 140 -110 t140 110 z', shirt),
    rect(168, 240, 64, 84, skin, { rx: 30 }),
    rect(122, 108, 156, 182, skin, { rx: 76 }),
    top,
    ...face(dice),
  ]
}

function face(dice: SeededRandom): string[] {
  const dark = '#2b2026'
  const glasses = dice.chance(1, 4)
    ? [
        circle(168, 202, 27, 'none', { stroke: dark, 'stroke-width': 6 }),
        circle(232, 202, 27, 'none', { stroke: dark, 'stroke-width': 6 }),
        stroke('M195 200 h10', dark, 6),
      ]
    : []
  const mouth = dice.pick(['M176 248 q24 22 48 0', 'M180 250 q20 12 40 0', 'M182 252 h36', 'M174 244 q26 34 52 0 z'])
  return [
    circle(168, 202, 8, dark),
    circle(232, 202, 8, dark),
    stroke(`M154 ${176 + dice.below(8)} q14 -8 28 0`, dark, 5, { opacity: 0.7 }),
    stroke(`M218 ${176 + dice.below(8)} q14 -8 28 0`, dark, 5, { opacity: 0.7 }),
    stroke('M200 206 q-8 22 4 24', dark, 4, { opacity: 0.35 }),
    stroke(mouth, dark, 6),
    ...glasses,
  ]
}

/** An avatar without a face: a few petals around a centre. */
function emblem(dice: SeededRandom, hue: number): string[] {
  const petals = 5 + dice.below(5)
  const colour = `hsl(${(hue + 150 + dice.below(120)) % 360}, 64%, 52%)`
  const reach = 70 + dice.below(50)
  const all = Array.from({ length: petals }, (_, petal) =>
    path(`M0 0 q${reach / 2} -${reach} 0 -${reach + 60} q-${reach / 2} 60 0 ${reach + 60} z`, colour, {
      transform: `rotate(${Math.floor((petal * 360) / petals)})`,
      opacity: 0.85,
    }),
  )
  return [group({ transform: 'translate(200 200)' }, ...all, circle(0, 0, 34 + dice.below(18), '#fff', { opacity: 0.92 }))]
}
