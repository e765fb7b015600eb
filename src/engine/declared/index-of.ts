import { createHash } from 'node:crypto'
import type { IndexSpec } from '../../ports/document-store.js'

type Parts = Pick<IndexSpec, 'name' | 'fields' | 'each'>

/** An index for readers. With other fields it is another one, also under the same name and version. */
export function indexOf(parts: Parts, order: NonNullable<IndexSpec['order']>): IndexSpec {
  const { fields, each = null } = parts
  const key = createHash('sha256')
    .update(JSON.stringify([fields, each, order]))
    .digest('hex')
    .slice(0, 8)
  return { ...parts, key, order, use: 'query' }
}
