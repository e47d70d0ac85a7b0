import Table from 'cli-table3'

/** Nothing between rows and columns but room. */
const NO_LINES = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '' },
}

export interface Column {
  readonly head: string
  readonly width: number
  readonly align?: 'left' | 'right'
}

/** A table without lines, whose cells are wrapped to the widths of their columns. */
export function plainTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const table = new Table({
    chars: NO_LINES,
    head: columns.map(({ head }) => head),
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ align }) => align ?? 'left'),
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 2 },
    wordWrap: true,
  })
  for (const row of rows) table.push([...row])
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
}
