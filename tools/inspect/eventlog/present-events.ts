import { thousands } from '../../../conformance/report/visible.ts'
import type { LogEvent, LogFacts, LogPcr } from '../inspection.ts'
import { plainTable } from '../plain-table.ts'
import type { Look } from '../show.ts'
import { shortHex } from '../show.ts'
import { wrap } from '../wrap.ts'

const ABOUT = 'what each register must be when exactly these events were added to it.'

function fitWord({ fits }: LogPcr, { colours }: Look): string {
  if (fits === null) return ''
  return fits ? colours.green('fits') : colours.red('NO')
}

/** The registers that a log leads to, bank by bank. */
export function presentLogPcrs({ replay }: LogFacts, look: Look): readonly string[] {
  if (replay.length === 0) return []
  const compared = replay.some(({ fits }) => fits !== null)
  const room = Math.min(look.width - 2 - 8 - 5 - (compared ? 11 : 0), 66)
  const table = plainTable(
    [
      { head: 'bank', width: 8 },
      { head: 'PCR', width: 5, align: 'right' },
      ...(compared ? [{ head: 'published', width: 11 }] : []),
      { head: 'value', width: room },
    ],
    replay.map((row) => [
      row.bank,
      String(row.pcr),
      ...(compared ? [fitWord(row, look)] : []),
      shortHex(row.value, room - 2),
    ]),
  )
  return ['', ...wrap(`replayed  ${ABOUT}`, look.width), ...table.map((line) => `  ${line}`)]
}

const OF: Readonly<Record<NonNullable<LogEvent['digest_of']>, string>> = {
  data: 'data',
  content: 'content',
  neither: 'WRONG',
}

function ofCell({ digest_of }: LogEvent, { colours }: Look): string {
  if (digest_of === null) return ''
  const word = OF[digest_of]
  if (digest_of === 'neither') return colours.red(word)
  return digest_of === 'data' ? colours.green(word) : colours.dim(word)
}

/** The digest that most readers look for: that of SHA-256, else the first. */
function digestCell({ digests }: LogEvent): string {
  const shown = digests.find(({ bank }) => bank === 'sha256') ?? digests[0]
  return shown === undefined ? '' : shortHex(shown.value, 8)
}

/** A device path may have names of 64 KiB, an order of boot options any number of them. */
const LONGEST_SAYS = 400

function shortened(says: string): string {
  return says.length <= LONGEST_SAYS ? says : `${says.slice(0, LONGEST_SAYS)}… (--json has all)`
}

const TAKEN = 6 + 10 + 8 + 5 + 10 + 9 + 2
const NARROWEST = 18

/** The events that were asked for, in a table, and how to see more. */
export function presentEvents({ shown, events }: LogFacts, look: Look): readonly string[] {
  if (shown.length === 0) return []
  const room = Math.max(NARROWEST, look.width - TAKEN)
  const columns = [
    { head: '#', width: 6, align: 'right' as const },
    { head: 'byte', width: 10, align: 'right' as const },
    { head: 'len', width: 8, align: 'right' as const },
    { head: 'PCR', width: 5, align: 'right' as const },
    { head: 'digest', width: 10 },
    { head: 'of', width: 9 },
    { head: 'event, and what it says', width: room },
  ]
  const rows = shown.map((event) => [
    String(event.number),
    thousands(event.offset),
    thousands(event.length),
    event.pcr === 0xffffffff ? '-' : String(event.pcr),
    digestCell(event),
    ofCell(event, look),
    [
      ...wrap(event.type, room - 2).map(look.colours.bold),
      ...wrap(shortened(event.says), room - 2),
    ].join('\n'),
  ])
  const which =
    shown.length < events
      ? `the first ${shown.length} of ${thousands(events)}; --entries all shows the rest`
      : `all ${thousands(events)}`
  const table = plainTable(columns, rows)
  return ['', `${look.colours.bold('events')}  ${which}`, ...table.map((line) => `  ${line}`)]
}
