import { visibleText } from '../lib/visible-text.js'

/** A head and rows in columns; numbers are aligned right. */
export function table(head: readonly string[], cells: readonly (readonly string[])[]): string[] {
  return alignColumns([head, ...cells.map((row) => row.map(visibleText))], '  ')
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

/** Lines with an empty one between the parts. */
export const paragraphs = (parts: readonly (string | readonly string[])[]): string[] =>
  parts.flatMap((part, i) => [...(i === 0 ? [] : ['']), ...[part].flat()])
