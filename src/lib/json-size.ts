/**
 * The approximate number of characters of a document, close to its stored size. `NaN` when a string holds a lone surrogate,
 * which stores and clients would each replace in their own way.
 */
export function approximateSize(value: unknown): number {
  if (typeof value === 'string') return value.isWellFormed() ? value.length : Number.NaN
  if (value === null || typeof value !== 'object') return 8
  let size = 0
  for (const member of Object.values(value)) size += approximateSize(member) + 8
  return size
}
