import picocolors from 'picocolors'
import { thousands } from '../../../conformance/report/visible.ts'
import type { Entry, EntryField, ImaFacts } from '../inspection.ts'
import { type Column, plainTable } from '../plain-table.ts'
import type { Look } from '../show.ts'
import { shortHex } from '../show.ts'
import { wrap } from '../wrap.ts'

const NAMES: readonly string[] = ['n', 'n-ng']

function hashCell({ template_hash, hash_holds, violation }: Entry, { colours }: Look): string {
  if (violation) return colours.yellow('violation')
  const short = shortHex(template_hash, 8)
  if (hash_holds === false) return `${short} ${colours.red('WRONG')}`
  return hash_holds === null ? `${short} ${colours.dim('?')}` : `${short} ${colours.green('ok')}`
}

/** Limit for long names: a path can have 4096 bytes. */
const LONGEST_NAME = 300

/** The name, then the other fields that are not empty. */
function fieldsCell({ fields, violation }: Entry, width: number, { colours }: Look): string {
  const name = fields.find((field) => NAMES.includes(field.name))
  const others = fields.filter((field) => field !== name && field.length > 0)
  const lines = violation ? [colours.yellow('content not reliable')] : othersLines(others, width)
  const shown = wrap(shorten(name?.value ?? ''), width).map(colours.bold)
  return [...shown, ...lines].filter((line) => line !== '').join('\n')
}

/** Limit for unknown templates, whose number of fields is not known. */
const MOST_FIELDS = 20

function othersLines(others: readonly EntryField[], width: number): readonly string[] {
  const rest = others.length - MOST_FIELDS
  return [
    ...others
      .slice(0, MOST_FIELDS)
      .flatMap((field) => wrap(`${labelOf(field)}${field.value}`, width)),
    ...(rest > 0 ? wrap(`and ${thousands(rest)} more fields; --json lists all`, width) : []),
  ]
}

function shorten(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`
}

function labelOf({ name }: EntryField): string {
  const label = {
    sig: 'signed: ',
    buf: 'bytes: ',
    modsig: 'appended signature: ',
    evmsig: 'attributes signed: ',
  }[name]
  return label ?? (name.startsWith('d') ? '' : `${name}: `)
}

const HEADS = ['#', 'byte', 'len', 'PCR', 'template', 'hash'] as const
const NUMBERS = 4
const GAP = 2

function numberCells({ number, offset, length, pcr, template }: Entry): readonly string[] {
  return [String(number), thousands(offset), thousands(length), String(pcr), template]
}

/** Columns with the width of their contents, computed without colour codes. */
function columnsFor(shown: readonly Entry[], plain: Look): readonly Column[] {
  const rows = shown.map((entry) => [...numberCells(entry), hashCell(entry, plain)])
  return HEADS.map((head, at) => ({
    head,
    width:
      rows.reduce((most, row) => Math.max(most, Math.min(18, row[at]?.length ?? 0)), head.length) +
      GAP,
    align: at < NUMBERS ? ('right' as const) : ('left' as const),
  }))
}

/** A table of the entries to show. */
export function presentEntries({ shown, entries }: ImaFacts, look: Look): readonly string[] {
  if (entries === 0) return []
  const columns = columnsFor(shown, { ...look, colours: picocolors.createColors(false) })
  const taken = columns.reduce((total, { width }) => total + width, 2)
  const width = Math.max(24, look.width - taken)
  const last = { head: 'name and measured data', width: width + GAP }
  const rows = shown.map((entry) => [
    ...numberCells(entry),
    hashCell(entry, look),
    fieldsCell(entry, width, look),
  ])
  const more = entries - shown.length
  const which =
    more > 0
      ? `the first ${shown.length} of ${thousands(entries)}; --entries all shows the rest`
      : `all ${thousands(entries)}`
  const table = rows.length === 0 ? [] : plainTable([...columns, last], rows)
  return ['', `${look.colours.bold('entries')}  ${which}`, ...table.map((line) => `  ${line}`)]
}
