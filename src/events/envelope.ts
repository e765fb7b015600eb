import { z } from 'zod'

/** CloudEvents 1.0 in JSON structured mode, with the aggregate's revision as the extension `sequence`. */
export const Envelope = z.object({
  specversion: z.literal('1.0'),
  id: z
    .string()
    .min(1)
    .max(200)
    .refine((id) => id.isWellFormed(), 'must be well-formed Unicode'),
  source: z.string().min(1).max(500),
  type: z.string().min(1).max(200),
  subject: z.string().regex(/^[a-z]+\/[A-Za-z0-9_-]{1,64}$/, 'must be "<aggregate>/<id>"'),
  time: z.iso.datetime({ offset: true }),
  sequence: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  datacontenttype: z.string().optional(),
  data: z.unknown(),
})
export type Envelope = z.infer<typeof Envelope>

/** An event's time may be ahead of the log's clock by at most this. */
export const MAX_CLOCK_LEAD_MS = 5 * 60_000
