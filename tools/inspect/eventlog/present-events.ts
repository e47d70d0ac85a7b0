import { thousands } from '../../../conformance/report/visible.ts'
import type { LogEvent, LogFacts, LogPcr } from '../inspection.ts'
import { plainTable } from '../plain-table.ts'
import type { Look } from '../show.ts'
import { shortHex } from '../show.ts'
import { wrap } from '../wrap.ts'

const ABOUT = 'the value of each register after exactly these events.'

function fitWord({ fits }: LogPcr, { colours }: Look): string {
  if (fits === null) return ''
  return fits ? colours.green('matches') : colours.red('NO')
}

/** The replayed registers, bank by bank. */
export function presentLogPcrs({ replay }: LogFacts, look: Look): readonly string[] {
  if (replay.length === 0) return []
  const compared = replay.some(({ fits }) => fits !== null)
  const available = Math.min(look.width - 2 - 8 - 5 - (compared ? 11 : 0), 66)
  const table = plainTable(
    [
      { head: 'bank', width: 8 },
      { head: 'PCR', width: 5, align: 'right' },
      ...(compared ? [{ head: 'published', width: 11 }] : []),
      { head: 'value', width: available },
    ],
    replay.map((row) => [
      row.bank,
      String(row.pcr),
      ...(compared ? [fitWord(row, look)] : []),
      shortHex(row.value, available - 2),
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

/** The SHA-256 digest, otherwise the first. */
function digestCell({ digests }: LogEvent): string {
  const shown = digests.find(({ bank }) => bank === 'sha256') ?? digests[0]
  return shown === undefined ? '' : shortHex(shown.value, 8)
}

/** Limit for long explanations: a device path can contain names of 64 KiB. */
const LONGEST_SAYS = 400

function shortened(says: string): string {
  return says.length <= LONGEST_SAYS ? says : `${says.slice(0, LONGEST_SAYS)}… (--json shows all)`
}

const TAKEN = 6 + 10 + 8 + 5 + 10 + 9 + 2
const NARROWEST = 18

/** A table of the events to show. */
export function presentEvents({ shown, events }: LogFacts, look: Look): readonly string[] {
  if (shown.length === 0) return []
  const available = Math.max(NARROWEST, look.width - TAKEN)
  const columns = [
    { head: '#', width: 6, align: 'right' as const },
    { head: 'byte', width: 10, align: 'right' as const },
    { head: 'len', width: 8, align: 'right' as const },
    { head: 'PCR', width: 5, align: 'right' as const },
    { head: 'digest', width: 10 },
    { head: 'of', width: 9 },
    { head: 'event type and meaning', width: available },
  ]
  const rows = shown.map((event) => [
    String(event.number),
    thousands(event.offset),
    thousands(event.length),
    event.pcr === 0xffffffff ? '-' : String(event.pcr),
    digestCell(event),
    ofCell(event, look),
    [
      ...wrap(event.type, available - 2).map(look.colours.bold),
      ...wrap(shortened(event.says), available - 2),
    ].join('\n'),
  ])
  const which =
    shown.length < events
      ? `the first ${shown.length} of ${thousands(events)}; --entries all shows the rest`
      : `all ${thousands(events)}`
  const table = plainTable(columns, rows)
  return ['', `${look.colours.bold('events')}  ${which}`, ...table.map((line) => `  ${line}`)]
}
