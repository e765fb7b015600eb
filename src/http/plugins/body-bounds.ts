/** What a JSON body may hold, on every surface. Real requests hold a fifth of it. */
const MAX_VALUES = 500
const MAX_DEPTH = 20

export const BOUNDS_MESSAGE = `The body holds too much: at most ${MAX_VALUES} values, nested at most ${MAX_DEPTH} deep.`

/**
 * Counts before the text is parsed, and stops at the first value too many: a parser makes every value, and a schema looks at each
 * of them and words an issue for every wrong one.
 */
export function isWithinBounds(json: string): boolean {
  let values = 0
  let depth = 0
  let isInText = false
  for (let i = 0; i < json.length && values <= MAX_VALUES && depth <= MAX_DEPTH; i += 1) {
    // Codes, because a character would be a new string each time.
    const code = json.charCodeAt(i)
    if (code === QUOTE) isInText = !isInText
    else if (isInText) i += code === BACKSLASH ? 1 : 0
    else if (code === COMMA) values += 1
    else if (code === BRACKET || code === BRACE) {
      values += 1
      depth += 1
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth -= 1
  }
  return values <= MAX_VALUES && depth <= MAX_DEPTH
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, CLOSING_BRACKET, CLOSING_BRACE] = Buffer.from('"\\,[{]}')
