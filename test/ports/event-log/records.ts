import type { LogRecord, NewRecord, Position } from '../../../src/ports/event-log.js'

export function record(id: string, over: Partial<NewRecord> = {}): NewRecord {
  return { id, subject: `creation/${id}`, payload: JSON.stringify({ id }), ...over }
}

/** `e1`, `e2` and so on. */
export const numbered = (from: number, to: number): NewRecord[] => Array.from({ length: to - from + 1 }, (_, i) => record(`e${from + i}`))

export const ids = (records: readonly LogRecord[]): string[] => records.map(({ id }) => id)

export const at = (position: number): Position => position as Position
