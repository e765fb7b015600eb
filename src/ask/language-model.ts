import { z } from 'zod'

export interface LanguageModelOptions {
  /** Of an OpenAI-compatible service, such as `http://127.0.0.1:8080/v1`. */
  url: string
  model?: string | undefined
  key?: string | undefined
  timeoutMs: number
}

/** What a model says to a task and its data; null if it fails, is slow or says too much. Whoever asks has to check what it says. */
export type LanguageModel = (task: string, data: Readonly<Record<string, unknown>>, signal?: AbortSignal) => Promise<string | null>

const MAX_RESPONSE_BYTES = 64 * 1024

const Completion = z.object({ choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })], z.unknown()) })

export function languageModel({ url, model, key, timeoutMs }: LanguageModelOptions): LanguageModel {
  const endpoint = url.endsWith('/chat/completions') ? url : `${url.replace(/\/$/, '')}/chat/completions`
  const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) }
  return async (task, data, signal) => {
    const messages = [
      { role: 'system', content: task },
      { role: 'user', content: JSON.stringify(data) },
    ]
    const body = JSON.stringify({ ...(model === undefined ? {} : { model }), temperature: 0, max_tokens: 300, messages })
    try {
      const limit = AbortSignal.timeout(timeoutMs)
      const response = await fetch(endpoint, {
        method: 'POST',
        headers,
        body,
        redirect: 'error',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      })
      if (!response.ok) return null
      return Completion.parse(JSON.parse(await readLimited(response))).choices[0].message.content
    } catch {
      return null
    }
  }
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES) throw new Error('too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
