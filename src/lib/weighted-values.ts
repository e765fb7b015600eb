/** The values of an `Accept…` header with their weights, in the order given. A weight that is not a number is 0. */
export function weightedValues(header: string): { value: string; weight: number }[] {
  return entriesOf(header).map((entry) => {
    const [value = '', ...parameters] = entry.split(';').map((text) => text.trim())
    const q = parameters.find((parameter) => /^q=/i.test(parameter))
    return { value, weight: q === undefined ? 1 : Number(q.slice(2)) || 0 }
  })
}

/** Browsers send less than half of this. */
const MAX_LENGTH = 500

const MAX_ENTRIES = 50

/** Cut before it is parsed, so that a long header costs no more than a short one. An entry that is cut in two is left out. */
function entriesOf(header: string): string[] {
  const entries = header.slice(0, MAX_LENGTH).split(',')
  if (header.length > MAX_LENGTH) entries.pop()
  return entries.slice(0, MAX_ENTRIES)
}
