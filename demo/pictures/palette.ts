import type { SeededRandom } from '../random.js'

/** The colours of one picture. */
export interface Palette {
  from: string
  to: string
  /** Light surfaces, e.g. cards. */
  paper: string
  /** Marks on paper. */
  ink: string
  faint: string
  /** Three that go together, the strongest first. */
  accents: readonly [string, string, string]
  dark: boolean
}

/** Every category has its own family of hues: main, second, spark. */
const HUES: Record<string, readonly [number, number, number]> = {
  games: [265, 325, 48],
  food: [16, 42, 350],
  garden: [138, 88, 40],
  fitness: [204, 162, 22],
  music: [318, 282, 46],
  art: [346, 198, 48],
  learning: [222, 44, 176],
  travel: [190, 34, 12],
  home: [34, 152, 338],
  work: [232, 200, 24],
  sky: [214, 258, 46],
  pets: [28, 78, 192],
  stories: [254, 18, 168],
  calm: [170, 248, 332],
}

export function paletteOf(category: string, dice: SeededRandom): Palette {
  const [main, second, spark] = HUES[category] ?? [dice.below(360), dice.below(360), dice.below(360)]
  const drift = dice.below(31) - 15
  const colour = (hue: number, saturation: number, lightness: number) => `hsl(${(hue + drift + 360) % 360}, ${saturation}%, ${lightness}%)`
  const dark = dice.chance(2, 5)
  return {
    from: dark ? colour(main, 45, 26) : colour(main, 78, 88),
    to: dark ? colour(second, 50, 14) : colour(second, 72, 72),
    paper: dark ? colour(main, 32, 20) : colour(main, 60, 98),
    ink: dark ? colour(main, 60, 92) : colour(main, 45, 20),
    faint: dark ? colour(main, 30, 34) : colour(main, 45, 88),
    accents: [colour(main, 68, dark ? 60 : 46), colour(second, 72, dark ? 62 : 54), colour(spark, 88, 60)],
    dark,
  }
}
