import { z } from 'zod'

/**
 * The sequence of the event that last set each field of a document: the highest wins, in any order of events.
 * `all` stands for the fields that are not listed, so the usual document, made by one event, keeps one number.
 */
export const FieldVersions = z.object({ all: z.number() }).catchall(z.number())
export type FieldVersions = z.infer<typeof FieldVersions>

export type Changes<F extends object> = { [K in keyof F]?: Exclude<F[K], undefined> } & { setAt: FieldVersions }

/** The sequence of the event that set a field of those that {@link setAllFields} sets. */
export const versionOf = (setAt: FieldVersions, field: string): number => Math.max(setAt.all, setAt[field] ?? 0)

/** The position of a claim to a name. Of several copies of the event that made it, the first in the log counts. */
export function claimPosition(setAt: FieldVersions, field: string, known: number, event: { sequence: number; position: number }): number {
  return event.sequence === versionOf(setAt, field) ? Math.min(known, event.position) : known
}

/** What an event changes that sets some fields. A field that is `undefined` is not set. */
export function setFields<F extends object>(setAt: FieldVersions, sequence: number, fields: F): Changes<F> {
  return changesTo(setAt, fields, (field) => sequence > versionOf(setAt, field), sequence)
}

/** What an event changes that sets fields which {@link setAllFields} does not set. */
export function setOwnFields<F extends object>(setAt: FieldVersions, sequence: number, fields: F): Changes<F> {
  return changesTo(setAt, fields, (field) => sequence > (setAt[field] ?? 0), sequence)
}

/** What an event changes that sets every field at once, such as a publication. */
export function setAllFields<F extends object>(setAt: FieldVersions, sequence: number, fields: F): Partial<F> & { setAt: FieldVersions } {
  // The usual case: nothing else has set a field.
  if (sequence > setAt.all && !hasFields(setAt)) return { ...fields, setAt: { all: sequence } }
  const changes = setFields(setAt, sequence, fields)
  if (sequence <= setAt.all) return changes
  const versions: FieldVersions = { ...changes.setAt, all: sequence }
  for (const field of Object.keys(fields)) if ((versions[field] ?? 0) <= sequence) delete versions[field]
  return { ...changes, setAt: versions }
}

function changesTo<F extends object>(setAt: FieldVersions, fields: F, isNewer: (field: string) => boolean, sequence: number): Changes<F> {
  const changes = defined(fields, isNewer)
  const versions: FieldVersions = { ...setAt }
  for (const field of Object.keys(changes)) versions[field] = sequence
  return { ...changes, setAt: inOrder(versions) }
}

function hasFields(setAt: FieldVersions): boolean {
  for (const field in setAt) if (field !== 'all') return true
  return false
}

/** The fields that are set and wanted. */
function defined<F extends object>(fields: F, isWanted: (field: string) => boolean) {
  const kept: { [K in keyof F]?: Exclude<F[K], undefined> } = {}
  for (const field in fields) {
    const value = fields[field]
    // Just compared, which the compiler cannot follow for a type it does not know.
    if (value !== undefined && isWanted(field)) kept[field] = value as Exclude<F[typeof field], undefined>
  }
  return kept
}

/** Equal versions give equal text. */
export function inOrder({ all, ...fields }: FieldVersions): FieldVersions {
  return { all, ...Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))) }
}
