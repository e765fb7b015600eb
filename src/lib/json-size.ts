/**
 * About how many characters a document is made of: what a store makes of it is of that order. `NaN` where a string holds
 * half a surrogate pair, which stores and clients would each repair in their own way.
 */
export function approximateSize(value: unknown): number {
  if (typeof value === 'string') return value.isWellFormed() ? value.length : Number.NaN
  if (value === null || typeof value !== 'object') return 8
  let size = 0
  for (const member of Object.values(value)) size += approximateSize(member) + 8
  return size
}
