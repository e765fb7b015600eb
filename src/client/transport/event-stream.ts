/**
 * Server-sent events, as the HTML standard reads them; their names, ids and retry times are of no use here. Takes decoded text in parts,
 * returns the data of the events that are complete, and looks at every character once.
 */
export class EventStreamParser {
  /** The beginning of a line. */
  #line = ''
  #endedWithReturn = false
  #data: string[] = []

  push(text: string): string[] {
    if (text === '') return []
    const isSecondHalf = this.#endedWithReturn && text.startsWith('\n')
    this.#endedWithReturn = text.endsWith('\r')
    const [first = '', ...others] = text.slice(isSecondHalf ? 1 : 0).split(/\r\n|\n|\r/)
    const lines = [this.#line + first, ...others]
    this.#line = lines.pop() ?? ''
    return lines.flatMap((line) => this.#take(line))
  }

  #take(line: string): string[] {
    const field = /^data(?:: ?(.*))?$/s.exec(line)
    if (field !== null) this.#data.push(field[1] ?? '')
    if (line !== '' || this.#data.length === 0) return []
    return [this.#data.splice(0).join('\n')]
  }
}
