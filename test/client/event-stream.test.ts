/** The parser of server-sent events, against a well-known one, however the text is cut. */
import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import t from 'tap'
import { EventStreamParser } from '../../src/client/transport/event-stream.js'

function known(text: string): string[] {
  const found: string[] = []
  createParser({ onEvent: ({ data }) => found.push(data) }).feed(text)
  return found
}

function ours(parts: readonly string[]): string[] {
  const parser = new EventStreamParser()
  return parts.flatMap((part) => parser.push(part))
}

const line = fc.oneof(
  fc.constantFrom(
    '',
    '',
    ':',
    ': comment',
    'data',
    'data:',
    'data: ',
    'data:  x',
    'data:a:b',
    'event: start',
    'database: 7',
    'id: 7',
    'retry: 10',
  ),
  fc.string({ maxLength: 8 }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
)

t.test('the same events, cut anywhere', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 20 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (lines, sizes) => {
        // A line feed at the end decides what a carriage return before it is.
        const text = `${lines.map(([content, end]) => content + end).join('')}\n`
        const parts: string[] = []
        for (let at = 0; at < text.length; ) {
          const size = sizes.next().value
          parts.push(text.slice(at, at + size))
          at += size
        }
        t.strictSame(ours(parts), known(text))
        t.strictSame(ours([text]), known(text))
      },
    ),
    { numRuns: 300 },
  )
})

t.test('lines that end in every way, fields of other names, and what never ends', async (t) => {
  t.strictSame(ours(['', 'data: a\r', '\n\r', '\ndatabase: c\ndata: b\n\n']), ['a', 'b'])
  const parser = new EventStreamParser()
  t.strictSame(parser.push('data: abc\ndata: de'), [])
  t.strictSame(parser.push('\n\n'), ['abc\nde'])
})

t.test('a line in very many parts costs no more than one in few', async (t) => {
  const parser = new EventStreamParser()
  // Looking at the whole line with every part would take minutes.
  for (let n = 0; n < 200_000; n++) parser.push('data: x'.padEnd(100, 'x'))
  const [data] = parser.push('\n\n')
  t.equal(data?.length, 20_000_000 - 'data: '.length)
})
