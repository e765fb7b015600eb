/** Text in columns; numbers to the right. */
export function table(head: readonly string[], cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(maskControlCharacters))
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (/^\d+$/.test(cell) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  return [line(head), ...rows.map(line)].join('\n')
}

/** What a cell says may come from events, and events from anybody: nothing in it steers the terminal. */
export const maskControlCharacters = (cell: string): string => cell.replace(/\p{Cc}/gu, '·')
