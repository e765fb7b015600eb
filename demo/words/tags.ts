import { lines } from './table.js'

/** Tags by category, the most used first. */
export const CATEGORY_TAGS: ReadonlyMap<string, readonly string[]> = new Map(
  lines(`
    games: puzzle, arcade, highscore, casual, retro, brain teaser, word game, multiplayer
    food: recipes, cooking, baking, vegan, fermentation, meal prep, kitchen, drinks
    garden: plants, gardening, nature, balcony, seasons, insects, seeds
    fitness: workout, running, training, outdoors, stretching, goals, team sport
    music: sound, practice, instruments, listening, rhythm, singing, vinyl
    art: drawing, illustration, craft, photography, color, handmade, pixel art
    learning: education, flashcards, languages, science, math, history, memory
    travel: maps, trains, city, packing, budget travel, islands, walking
    home: family, household, organizing, kids, sewing, gifts, shopping
    work: productivity, focus, time, finance, freelance, planning, notes
    sky: weather, astronomy, night sky, stars, ocean, sun, climate
    pets: animals, dogs, cats, aquarium, wildlife, birds, care
    stories: reading, writing, books, poetry, fiction, storytelling, comics
    calm: mindfulness, sleep, breathing, self-care, relax, mental health, journal
  `).map((line) => {
    const [category = '', list = ''] = line.split(': ')
    return [category, list.split(', ')]
  }),
)

/** Tags for anything, the most used first. */
export const COMMON_TAGS: readonly string[] = lines(`
  minimal, offline, fun, daily, cozy, handdrawn, dark mode, beginner, statistics, weekend, cute, open data, habit, for two, school,
  accessibility, nostalgia, experimental, one button, printable, no ads, large text, teamwork, collection, animation, local, summer,
  winter, gift idea, first project
`).flatMap((line) => line.split(/,\s*/).filter((tag) => tag !== ''))

/** What makers add when the thing speaks their language. */
export const LANGUAGE_TAGS = { en: 'english', es: 'español', de: 'deutsch', ja: '日本語' } as const
