/**
 * How much of a text a page shows where it is not the subject of the page. What one creation may cost a page then does not
 * depend on how long its texts are.
 */
export const MAX_CARD_TITLE = 120
export const MAX_TEASER = 300

/** Code points, not graphemes: fast, and no lone surrogate is left. */
export function clipped(text: string, max: number): string {
  // A code point has at most two units.
  const start = text.slice(0, 2 * max + 2)
  if (start.length <= max) return text
  const points = Array.from(start)
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`
}

/** One line, no longer than search engines and previews show. */
export const summary = (text: string): string => clipped(text.replaceAll(/\s+/g, ' ').trim(), 200)
