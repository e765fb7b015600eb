/** Server-sent events, as the HTML standard reads them: ids and retry times are of no use here. */
export interface ServerSentEvent {
  event: string
  data: string
}

/** Takes the text of a stream in parts and returns the events that are complete. */
export class EventStreamParser {
  #rest = ''
  #isFirst = true
  #event = ''
  #data: string[] = []

  /** Characters that wait for the end of their event. */
  get pending(): number {
    return this.#rest.length + this.#data.reduce((sum, line) => sum + line.length, 0)
  }

  push(text: string): ServerSentEvent[] {
    const unread = this.#rest + (this.#isFirst ? text.replace(/^\uFEFF/, '') : text)
    if (text !== '') this.#isFirst = false
    // A carriage return at the end may be the first half of a line end.
    const lines = unread.split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#take(line))
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
