/** Markup that is safe to send. Everything else is text, and gets escaped on its way in. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** What a template takes: text is escaped, lists are joined, nothing comes of null, undefined and false. */
export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[]

/** Attribute values belong in double quotes, always: then the same escaping is right everywhere. */
export function html(strings: TemplateStringsArray, ...pieces: HtmlValue[]): Html {
  let text = strings[0] ?? ''
  for (const [index, piece] of pieces.entries()) text += renderValue(piece) + (strings[index + 1] ?? '')
  return new Html(text)
}

/** For markup that we have made ourselves by other means. */
export const trusted = (markup: string): Html => new Html(markup)

/** Data inside a page. Not run by browsers, but read by the HTML parser first, which must not find an end tag in it. */
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
