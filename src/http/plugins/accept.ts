/** The values of an `Accept…` header with their weights, in the order given. A weight that is not a number is 0. */
export function weightedValues(header: string): { value: string; weight: number }[] {
  return header.split(',').map((part) => {
    const [value = '', ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((parameter) => /^q=/i.test(parameter))
    return { value, weight: q === undefined ? 1 : Number(q.slice(2)) || 0 }
  })
}
