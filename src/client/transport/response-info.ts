/** What the headers of a response say, beside what was asked for. */
export interface ResponseInfo {
  method: string
  url: string
  status: number
  /** 1 is the first. */
  attempt: number
  /** Names the request in the logs of the service. */
  requestId: string | null
  /** Position of the event log that the answer reflects. */
  position: number | null
  /** The languages of the texts in the answer. */
  language: string | null
  rateLimit: { limit: number; remaining: number; resetS: number } | null
  /** Set if the operation is deprecated: since when, and when it ends. */
  deprecation: string | null
  sunset: string | null
}

export function responseInfo(method: string, url: string, attempt: number, { status, headers }: Response): ResponseInfo {
  const limit = wholeNumber(headers, 'ratelimit-limit')
  const remaining = wholeNumber(headers, 'ratelimit-remaining')
  const resetS = wholeNumber(headers, 'ratelimit-reset')
  return {
    method,
    url,
    status,
    attempt,
    requestId: headers.get('x-request-id'),
    position: wholeNumber(headers, 'service-position'),
    language: headers.get('content-language'),
    rateLimit: limit === null || remaining === null || resetS === null ? null : { limit, remaining, resetS },
    deprecation: headers.get('deprecation'),
    sunset: headers.get('sunset'),
  }
}

export function wholeNumber(headers: Headers, name: string): number | null {
  const value = headers.get(name)
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null
}
