/** A head and rows in columns; numbers are aligned right. */
export function table(head: readonly string[], cells: readonly (readonly string[])[]): string {
  return alignColumns([head, ...cells.map((row) => row.map(maskControlCharacters))], '  ').join('\n')
}

/** One line per row, every cell as wide as its column. */
export function alignColumns(rows: readonly (readonly string[])[], separator: string): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const pad = (cell: string, width = 0) => (/^\d+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width))
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column]))
      .join(separator)
      .trimEnd(),
  )
}

/** Cells may hold text from events: nothing in them may control the terminal. */
export const maskControlCharacters = (cell: string): string => cell.replace(/\p{Cc}/gu, '·')
