/** Markup that is safe to send. Templates escape everything else. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** Values of a template: text is escaped, lists are joined, null, undefined and false are empty. */
export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[]

/** Put attribute values in double quotes: then the same escaping is right everywhere. */
export function html(strings: TemplateStringsArray, ...pieces: HtmlValue[]): Html {
  let text = strings[0] ?? ''
  for (const [index, piece] of pieces.entries()) text += renderValue(piece) + (strings[index + 1] ?? '')
  return new Html(text)
}

/** Markup made by other means, which must not come from outside. */
export const trusted = (markup: string): Html => new Html(markup)

/** Data inside a page. The HTML parser reads it first, so it must not contain an end tag. */
export function dataBlock(type: string, data: unknown): Html {
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return html`<script type="${type}">${trusted(json)}</script>`
}

function renderValue(piece: HtmlValue): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'object') return piece.map(renderValue).join('')
  return escaped(String(piece))
}

const escaped = (text: string): string => text.replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`)
