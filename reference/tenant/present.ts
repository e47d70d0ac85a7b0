import Table from 'cli-table3'
import { printable } from '../platform/printable.ts'
import type { Members } from './read-members.ts'

/** Characters of a value in text output; `--json` has all of it. */
const MOST_SHOWN = 72

const STYLE = { head: [], border: [], compact: true }

/** A column of names under their heading, or a sentence for an empty list. */
export function presentList(heading: string, names: readonly string[]): string {
  if (names.length === 0) return `no ${heading}`
  const table = new Table({ head: [heading], style: STYLE })
  table.push(...names.map((name) => [printable(name)]))
  return table.toString()
}

/** A record as a table of two columns, in the order in which it came. */
export function presentRecord(heading: string, record: Members): string {
  const table = new Table({ head: [heading, ''], style: STYLE })
  table.push(
    ...Object.entries(record).map(([name, value]) => [printable(name), presentValue(value)]),
  )
  return table.toString()
}

/** A table with a row for each record. */
export function presentRows(
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
): string {
  const table = new Table({ head: [...head], style: STYLE })
  table.push(...rows.map((row) => row.map(presentValue)))
  return table.toString()
}

function presentValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const [first = '', ...more] = text.split('\n')
  const whole = more.length === 0 && first.length <= MOST_SHOWN
  return printable(whole ? first : `${first.slice(0, MOST_SHOWN)}… (${text.length} characters)`)
}
