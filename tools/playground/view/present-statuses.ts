import { stripVTControlCharacters } from 'node:util'
import Table from 'cli-table3'
import type { Colours } from '../../../conformance/report/present-table.ts'
import { visibleLine } from '../../../conformance/report/visible.ts'
import type { Verdict } from '../agent-kinds.ts'
import type { MachineStatus } from './machine-status.ts'

/** A row of the table: the status of a machine and its last command. */
export interface Shown extends MachineStatus {
  readonly done: string
}

interface Column {
  readonly head: string
  /** On a narrow terminal, columns with the highest rank are omitted first. */
  readonly rank: number
  readonly align?: 'right'
  readonly cell: (shown: Shown, now: number, colours: Colours) => string
}

/** Text from the wire is escaped in every cell. */
const COLUMNS: readonly Column[] = [
  { head: 'machine', rank: 0, cell: ({ name, kind }) => `${name} ${kind}` },
  { head: 'agent', rank: 2, cell: ({ agent }) => inPieces(visibleLine(agent)) },
  {
    head: 'network',
    rank: 2,
    cell: ({ network }, _, colours) => (network === 'up' ? network : colours.red(network)),
  },
  { head: 'verdict', rank: 0, cell: ({ verdict }, _, colours) => paint(colours, verdict) },
  { head: 'state', rank: 3, cell: ({ state }) => visibleLine(state) },
  { head: 'passes', rank: 1, align: 'right', cell: ({ passes }) => String(passes) },
  {
    head: 'heard',
    rank: 4,
    align: 'right',
    cell: ({ receivedAt }, now) => presentAge(receivedAt, now),
  },
  { head: 'why', rank: 0, cell: ({ why }) => inPieces(visibleLine(why)) },
  { head: 'done', rank: 5, cell: ({ done }) => inPieces(visibleLine(done)) },
]

const WIDEST_CELL = 34

/**
 * The lines of the table of all machines, with as many columns as fit into `width`; `now` is in milliseconds since 1970.
 */
export function presentStatuses(
  shown: readonly Shown[],
  {
    now,
    width,
    colours,
  }: { readonly now: number; readonly width: number; readonly colours: Colours },
): readonly string[] {
  const worst = Math.max(...COLUMNS.map(({ rank }) => rank))
  for (let most = worst; ; most--) {
    const columns = COLUMNS.filter(({ rank }) => rank <= most)
    const lines = tableOf(columns, shown, (column, one) => column.cell(one, now, colours))
    if (most === 0 || lines.every((line) => widthOf(line) <= width)) return lines
  }
}

function tableOf(
  columns: readonly Column[],
  shown: readonly Shown[],
  cellOf: (column: Column, one: Shown) => string,
): readonly string[] {
  const table = new Table({
    head: columns.map(({ head }) => head),
    colAligns: columns.map(({ align }) => align ?? 'left'),
    style: { head: [], border: [], compact: true },
  })
  for (const one of shown) table.push(columns.map((column) => cellOf(column, one)))
  return table.toString().split('\n')
}

/** Width of a line in terminal columns; every character is one column wide. */
export function widthOf(line: string): number {
  return stripVTControlCharacters(line).length
}

function paint(colours: Colours, verdict: Verdict): string {
  if (verdict === 'PASS') return colours.green(verdict)
  return verdict === 'FAIL' ? colours.red(verdict) : colours.yellow(verdict)
}

/** Age of the last evidence in seconds. */
function presentAge(receivedAt: number | undefined, now: number): string {
  return receivedAt === undefined
    ? 'never'
    : `${Math.max(0, Math.round(now / 1000 - receivedAt))} s ago`
}

/** Breaks long words such as dotted failure types at dots and slashes, so that the table stays narrow. */
function inPieces(text: string): string {
  const lines = ['']
  for (const piece of text.split(/(?<=[\s./])/)) {
    const last = lines.at(-1) ?? ''
    const fits = last === '' || last.length + piece.length <= WIDEST_CELL
    if (fits) lines[lines.length - 1] = last + piece
    else lines.push(piece)
  }
  return lines.map((line) => line.trimEnd()).join('\n')
}

/** The status of a machine in one line, without counts and ages. */
export function statusLineOf({ name, kind, agent, network, verdict, state, why }: Shown): string {
  const odd = [
    ...(agent === 'runs' ? [] : [`agent ${agent}`]),
    ...(network === 'up' ? [] : ['network cut']),
    ...(why === '' ? [] : [why]),
  ]
  const about = odd.length === 0 ? '' : `  ${odd.map(visibleLine).join('; ')}`
  return `${name} ${kind}  ${verdict}  ${visibleLine(state)}${about}`
}
