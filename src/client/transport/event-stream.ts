/** Server-sent events, as the HTML standard reads them: ids and retry times are of no use here. */
export interface ServerSentEvent {
  event: string
  data: string
}

/** Takes the text of a stream in parts and returns the events that are complete. Looks at every character once. */
export class EventStreamParser {
  /** The beginning of a line. */
  #line = ''
  #isFirst = true
  #endedWithReturn = false
  #event = ''
  #data: string[] = []

  push(text: string): ServerSentEvent[] {
    if (text === '') return []
    const [first = '', ...others] = this.#withoutMarks(text).split(/\r\n|\n|\r/)
    if (others.length === 0) {
      this.#line += first
      return []
    }
    const lines = [this.#line + first, ...others]
    this.#line = lines.pop() ?? ''
    return lines.flatMap((line) => this.#take(line))
  }

  /** Without a byte order mark, and without the second half of a line end. */
  #withoutMarks(text: string): string {
    const isContinued = this.#endedWithReturn && text.startsWith('\n')
    const isMarked = this.#isFirst && text.startsWith('\uFEFF')
    this.#endedWithReturn = text.endsWith('\r')
    this.#isFirst = false
    return isContinued || isMarked ? text.slice(1) : text
  }

  #take(line: string): ServerSentEvent[] {
    if (line === '') return this.#dispatch()
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') this.#event = value
    if (field === 'data') this.#data.push(value)
    return []
  }

  #dispatch(): ServerSentEvent[] {
    const complete = this.#data.length === 0 ? [] : [{ event: this.#event, data: this.#data.join('\n') }]
    this.#event = ''
    this.#data = []
    return complete
  }
}
