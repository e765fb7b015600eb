import { KINDS, type Kind } from '../../src/events/index.js'
import { at, SeededRandom, seedOf } from '../random.js'
import { appScene } from './app-scene.js'
import { experienceScene } from './experience-scene.js'
import { gameScene } from './game-scene.js'
import { type Palette, paletteOf } from './palette.js'
import { circle, element, fade, path, picture, rect } from './svg.js'
import { trackerScene } from './tracker-scene.js'
import { widgetScene } from './widget-scene.js'

/** A scene fills 1200 × 675 on top of the background. */
type Scene = (palette: Palette, dice: SeededRandom) => string[]

const WIDTH = 1200
const HEIGHT = 675

/**
 * The cover for a key such as `game-sky-1x9f2` (kind, category, anything) or `category-sky`: always the same picture for
 * the same key. The kind decides the composition, the category the colours. The key itself is never written into it.
 */
export function coverSvg(key: string): string {
  const [first = '', category = ''] = key.split('-')
  const dice = new SeededRandom(seedOf(key))
  const palette = paletteOf(category, dice)
  const id = `f${seedOf(key).toString(36)}`
  return picture(
    WIDTH,
    HEIGHT,
    element('defs', {}, fade(id, palette.from, palette.to)),
    rect(0, 0, WIDTH, HEIGHT, `url(#${id})`),
    ...sceneOf(first, dice)(palette, dice),
  )
}

const SCENES: Record<Kind, Scene> = {
  app: appScene,
  game: gameScene,
  tracker: trackerScene,
  widget: widgetScene,
  experience: experienceScene,
}

function sceneOf(name: string, dice: SeededRandom): Scene {
  if (name === 'category') return categoryScene
  const kind = KINDS.find((candidate) => candidate === name)
  return SCENES[kind ?? at(KINDS, dice.below(KINDS.length))]
}

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
