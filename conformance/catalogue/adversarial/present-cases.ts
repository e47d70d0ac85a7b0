import Table from 'cli-table3'
import { counted } from '../../report/visible.ts'
import type { StandingCase } from './load-cases.ts'

/** The output of `assay coverage --adversarial`: case, layer, input, outcome and tests. */
export function presentCases(cases: readonly StandingCase[]): string {
  const table = new Table({
    head: ['case', 'layer', 'input', 'outcome', 'tests'],
    colAligns: ['right', 'left', 'left', 'left', 'left'],
    colWidths: [null, null, 40, 20, 52],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  })
  for (const one of cases) {
    table.push([one.case, one.layer, one.title, one.outcome.join(', '), standsFor(one).join('\n')])
  }
  return `${table.toString()}\n\n${presentTotals(cases)}\n`
}

function standsFor({ fixtures, faults, scenarios = [], elsewhere, note }: StandingCase): string[] {
  return [
    ...fixtures.map(({ file, variants }) => `${file}: ${tally(variants)}`),
    ...faults.map((name) => `fault ${name}`),
    ...scenarios.map((id) => `scenario ${id}`),
    ...(elsewhere === undefined ? [] : [`elsewhere: ${elsewhere}`]),
    ...(note === undefined ? [] : [`(${note})`]),
  ]
}

/** `3 malformed, 1 pass` */
function tally(variants: readonly { readonly outcome: string }[]): string {
  const counts = new Map<string, number>()
  for (const { outcome } of variants) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
}

function presentTotals(cases: readonly StandingCase[]): string {
  const own = cases.filter(({ elsewhere }) => elsewhere === undefined)
  const variants = own.flatMap(({ fixtures }) => fixtures.flatMap((one) => one.variants))
  const faults = new Set(own.flatMap((one) => one.faults))
  const others = counted(cases.length - own.length, 'case')
  return `${counted(cases.length, 'case')}: ${own.length} of evidence and registration, with ${counted(variants.length, 'variant')} in fixtures and ${counted(faults.size, 'fault')} of scripted machines; ${others} of other layers`
}
