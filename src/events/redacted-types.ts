/** What stands in the log for a redacted event that could not be folded. No projection handles these types. */
export const REDACTED_TYPES = {
  /** The envelope could not be trusted, so the sequence says nothing. Earlier releases wrote this for the others, too. */
  unreadable: 'vitrine.redacted.v1',
  poison: 'vitrine.redacted_poison.v1',
  unknown: 'vitrine.redacted_unknown.v1',
} as const

export type RedactedType = (typeof REDACTED_TYPES)[keyof typeof REDACTED_TYPES]

const ALL: readonly string[] = Object.values(REDACTED_TYPES)

export const isRedactedType = (type: string): type is RedactedType => ALL.includes(type)
