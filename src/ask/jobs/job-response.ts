import { z } from 'zod'
import { ERROR_NAMES } from '../../contract/errors.js'
import { AskResponse } from '../response.js'

const job = {
  job_id: z.string(),
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  status_url: z.string().meta({ description: 'Where to ask how it stands: at most every five seconds, until it is completed or failed.' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}

export const AsyncAskJob = z.object(job).meta({ id: 'AsyncAskJob', description: 'A question that is answered in the background.' })
export type AsyncAskJob = z.infer<typeof AsyncAskJob>

export const AsyncAskJobStatus = z
  .object({
    ...job,
    result: AskResponse.optional().meta({ description: 'Once completed.' }),
    error: z
      .object({ code: z.int(), error: z.enum(ERROR_NAMES), message: z.string() })
      .optional()
      .meta({ description: 'Once failed.' }),
  })
  .meta({ id: 'AsyncAskJobStatus', description: 'How an ask job stands. Known for 24 hours.' })
export type AsyncAskJobStatus = z.infer<typeof AsyncAskJobStatus>

/** Seconds between two polls, as the specification asks. */
export const POLL_AFTER_S = 5
