import { thousands } from '../../conformance/report/visible.ts'
import type { Field, Part } from './inspection.ts'
import { plainTable } from './plain-table.ts'
import type { Look } from './show.ts'
import { safe, shortHex } from './show.ts'

/** Limit for structures with hostile counts. */
const MOST_FIELDS = 120
const WIDE = 110

interface Widths {
  readonly at: number
  readonly length: number
  readonly path: number
  readonly raw: number
  readonly says: number
}

function widthsFor(fields: readonly Field[], width: number): Widths {
  const widest = (of: (field: Field) => string, head: string) =>
    Math.max(head.length, ...fields.map((field) => of(field).length)) + 2
  const at = widest(({ offset }) => thousands(offset), 'byte')
  const length = widest((field) => thousands(field.length), 'len')
  const raw = width >= WIDE ? 20 : 12
  const path = Math.min(
    widest((field) => field.path, 'field'),
    width >= WIDE ? 36 : 24,
  )
  return { at, length, path, raw, says: Math.max(20, width - at - length - path - raw - 2) }
}

/** Breaks a long path after its dots. */
function breakPath(path: string, width: number): string {
  const lines = ['']
  for (const piece of path.split(/(?<=\.)/)) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + piece.length > width) lines.push(piece)
    else lines[lines.length - 1] = last + piece
  }
  return lines.join('\n')
}

function rowOf(field: Field, { raw, path }: Widths, { colours }: Look): readonly string[] {
  const { offset, length, value, means } = field
  return [
    thousands(offset),
    thousands(length),
    breakPath(safe(field.path), path - 2),
    colours.dim(shortHex(field.raw, raw - 2)),
    value === '' ? means : `${colours.bold(safe(value))} – ${means}`,
  ]
}

/** A structure as a table of fields: offset, length, path, bytes and meaning. */
export function presentPart(part: Part, look: Look): readonly string[] {
  const shown = part.fields.slice(0, MOST_FIELDS)
  const rest = part.fields.length - shown.length
  const widths = widthsFor(shown, look.width)
  const table = plainTable(
    [
      { head: 'byte', width: widths.at, align: 'right' },
      { head: 'len', width: widths.length, align: 'right' },
      { head: 'field', width: widths.path },
      { head: 'bytes', width: widths.raw },
      { head: 'meaning', width: widths.says },
    ],
    shown.map((field) => rowOf(field, widths, look)),
  )
  const { bold, dim } = look.colours
  return [
    '',
    `${bold(part.name)}  ${part.about}  ${dim(`(${part.form}, ${thousands(part.length)} bytes)`)}`,
    ...(shown.length === 0 ? [] : table.map((line) => `  ${line}`)),
    ...(rest > 0 ? [`  and ${thousands(rest)} more fields; --json lists all`] : []),
  ]
}
