/** A URI template with one variable per path segment. */
export class UriTemplate {
  readonly template: string
  readonly #pattern: RegExp
  readonly #names: readonly string[]

  constructor(template: string) {
    this.template = template
    this.#names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const source = template.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    this.#pattern = new RegExp(`^${source.join('([^/?#]+)')}$`)
  }

  /** The variables in a URI; null if the URI does not match. */
  match(uri: string): Record<string, string> | null {
    const match = this.#pattern.exec(uri)
    if (match === null) return null
    const values = match.slice(1).map(decodeSegment)
    if (values.some((value) => value === null)) return null
    return Object.fromEntries(this.#names.map((name, i) => [name, values[i] ?? '']))
  }
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
