import { z } from 'zod'
import { MAX_BATCH } from '../contract/caller-limits.js'
import { errorWithDetails, schemaError } from '../contract/errors.js'
import type { Operation } from '../contract/operation.js'

const Item = z.object({
  id: z.string().min(1).max(200).meta({ description: 'Chosen by the caller; comes back with the answer.' }),
  operation: z.string().meta({ description: 'Name of a read operation.', examples: ['get_popular_tags'] }),
  arguments: z.record(z.string(), z.unknown()).nullish().meta({ description: 'Its parameters, those of the path included.' }),
})

export const BatchRequest = z
  .object({ requests: z.array(Item).min(1).max(MAX_BATCH) })
  .meta({ id: 'BatchRequest', description: `Up to ${MAX_BATCH} reads at once. Each id may occur once.` })

/** The same for the published description: with the names that `operation` may have. */
export const batchRequestFor = (list: readonly Operation[]) => {
  const operation = z.enum(list.map(({ name }) => name)).meta({ description: 'Name of a read operation.', examples: ['get_popular_tags'] })
  return BatchRequest.extend({ requests: z.array(Item.extend({ operation })).min(1).max(MAX_BATCH) }).meta(BatchRequest.meta() ?? {})
}

export const BatchResponse = z
  .object({
    responses: z.array(
      z.object({
        id: z.string(),
        status: z.int().meta({ description: 'The HTTP status the operation would have answered with on its own.' }),
        code: z.int().meta({ description: '0, or the number of the error.' }),
        data: z.unknown().optional().meta({ description: 'The payload, on success.' }),
        message: z.string().optional().meta({ description: 'What went wrong, on failure.' }),
      }),
    ),
  })
  .meta({ id: 'BatchResponse', description: 'One answer per request, in the order of the requests. One that fails fails alone.' })
export type BatchResponse = z.infer<typeof BatchResponse>

export interface BatchItem {
  id: string
  operation: Operation
  input: Record<string, unknown>
}

/** Throws if the batch itself is wrong. Arguments are checked per item when it runs, so that one bad item fails alone. */
export function parseBatch(list: readonly Operation[], body: unknown): BatchItem[] {
  const parsed = BatchRequest.safeParse(body)
  if (!parsed.success) throw schemaError('invalid_request', parsed.error.issues)
  const seen = new Set<string>()
  return parsed.data.requests.map(({ id, operation: name, arguments: input }, i) => {
    const invalidItem = (field: string, message: string) =>
      errorWithDetails('invalid_request', [{ path: `requests.${i}.${field}`, message }])
    if (seen.has(id)) throw invalidItem('id', 'occurs twice: every request needs an id of its own')
    seen.add(id)
    const operation = list.find((candidate) => candidate.name === name)
    if (operation === undefined) throw invalidItem('operation', `is none of ${list.map((candidate) => candidate.name).join(', ')}`)
    return { id, operation, input: input ?? {} }
  })
}
