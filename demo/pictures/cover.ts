import { KINDS, type Kind } from '../../src/events/index.js'
import { seedOf } from '../key.js'
import { at, SeededRandom } from '../random.js'
import { appScene } from './app-scene.js'
import { categoryScene } from './category-scene.js'
import { experienceScene } from './experience-scene.js'
import { gameScene } from './game-scene.js'
import { type Palette, paletteOf } from './palette.js'
import { element, fade, picture, rect } from './svg.js'
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
