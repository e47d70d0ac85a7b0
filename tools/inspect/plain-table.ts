import Table from 'cli-table3'

/** No borders between rows and columns. */
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

/** Rows per table: cli-table3 passes all rows as arguments of one call, which fails for hundreds of thousands of rows. */
const AT_ONCE = 500

type Row = readonly string[]

/** A table without borders, whose cells are wrapped to the widths of their columns. */
export function plainTable(columns: readonly Column[], rows: readonly Row[]): readonly string[] {
  const heads = columns.map(({ head }) => head)
  const parts = Array.from({ length: Math.max(1, Math.ceil(rows.length / AT_ONCE)) }, (_, part) =>
    layoutRows(columns, part === 0 ? heads : [], rows.slice(part * AT_ONCE, (part + 1) * AT_ONCE)),
  )
  return parts.flat()
}

function layoutRows(
  columns: readonly Column[],
  head: Row,
  rows: readonly Row[],
): readonly string[] {
  const table = new Table({
    chars: NO_LINES,
    head: [...head],
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
