export interface Figure {
  name: string
  value: number
  unit: string
  /** What it is compared with, measured in the same run. */
  reference?: string
  goal: string
  met: boolean
}

export function printTable(figures: readonly Figure[]): void {
  const rows = figures.map(({ name, value, unit, reference, goal, met }) => [
    name,
    `${format(value)} ${unit}`.trim(),
    reference ?? '',
    goal,
    met ? 'met' : 'MISSED',
  ])
  const head = ['figure', 'measured', 'reference in the same run', 'goal', '']
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of [head, ...rows])
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

const format = (value: number): string => (value >= 1000 ? Math.round(value).toLocaleString('en') : String(Math.round(value * 100) / 100))
