import type { ImaFacts, ReplayRow } from './inspection.ts'
import { plainTable } from './plain-table.ts'
import type { Look } from './show.ts'
import { shortHex } from './show.ts'
import { wrap } from './wrap.ts'

const ABOUT =
  'the value of PCR 10 after exactly these entries, for each bank. A kernel extends a bank with the hash of the entry in the algorithm of that bank (own), or, if it lacks that algorithm, with the SHA-1 template hash padded with zeros (padded).'

const WIDE = 110

function saysOf({ fits, fits_after }: ReplayRow, { colours }: Look): string {
  if (fits === true) return colours.green('matches')
  if (fits_after !== null) return colours.green(`after ${fits_after}`)
  return fits === null ? '' : colours.dim('no')
}

/** The replayed values of PCR 10, and whether they match published values. */
export function presentReplay({ replay, entries }: ImaFacts, look: Look): readonly string[] {
  const { bold } = look.colours
  const compared = replay.some(({ fits }) => fits !== null)
  const available = look.width - 2 - 8 - 8 - (compared ? 12 : 0)
  const digits = look.width >= WIDE ? Math.min(available - 2, 66) : Math.min(available - 2, 40)
  const table = plainTable(
    [
      { head: 'bank', width: 8 },
      { head: 'rule', width: 8 },
      ...(compared ? [{ head: 'published', width: 12 }] : []),
      { head: 'PCR 10', width: digits + 2 },
    ],
    replay.map((row) => [
      row.bank,
      row.bank === 'sha1' ? '' : row.rule === 'own-hash' ? 'own' : 'padded',
      ...(compared ? [saysOf(row, look)] : []),
      row.value === null ? 'unknown: template data is missing' : shortHex(row.value, digits),
    ]),
  )
  const [first = '', ...rest] = wrap(`replayed  ${ABOUT}`, look.width)
  return [
    '',
    first.replace('replayed', bold('replayed')),
    ...rest,
    ...(entries === 0 ? [] : table.map((line) => `  ${line}`)),
  ]
}
