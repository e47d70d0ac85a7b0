import { thousands } from '../../conformance/report/visible.ts'
import { presentEvents, presentLogPcrs } from './eventlog/present-events.ts'
import { presentEntries } from './imalog/present-entries.ts'
import type { Broken, Comparison, Fact, Inspection, Warning } from './inspection.ts'
import { presentPart } from './present-part.ts'
import { presentReplay } from './present-replay.ts'
import type { Look } from './show.ts'
import { safe } from './show.ts'
import { wrap } from './wrap.ts'

const MOST_PLACES = 3

/** An inspection as text: explanation, summary, structures, comparisons, warnings and decoding errors. */
export function presentInspection(one: Inspection, look: Look): string {
  const { colours, width } = look
  return [
    ...one.sources.map(
      ({ file, form, length }) =>
        `${colours.bold(one.kind)}  ${safe(file)}  ${colours.dim(`(${form}, ${thousands(length)} bytes)`)}`,
    ),
    '',
    ...wrap(one.about, width),
    '',
    ...factLines(one.facts, look),
    ...one.parts.flatMap((part) => presentPart(part, look)),
    ...(one.ima === null ? [] : presentReplay(one.ima, look)),
    ...(one.eventlog === null ? [] : presentLogPcrs(one.eventlog, look)),
    ...comparisonLines(one.comparisons, look),
    ...warningLines(one.warnings, look),
    ...(one.ima === null ? [] : presentEntries(one.ima, look)),
    ...(one.eventlog === null ? [] : presentEvents(one.eventlog, look)),
    ...brokenLines(one.broken, look),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

function factLines(facts: readonly Fact[], { colours, width }: Look): readonly string[] {
  const widest = Math.max(0, ...facts.map(({ name }) => name.length))
  return facts.flatMap(({ name, value }) =>
    hanging(`  ${colours.dim(name.padEnd(widest))}  `, widest + 4, value, width),
  )
}

/** Wraps a text with a hanging indent. */
function hanging(head: string, indent: number, text: string, width: number): readonly string[] {
  return wrap(text, width - indent).map((line, at) =>
    at === 0 ? head + line : ' '.repeat(indent) + line,
  )
}

function markOf({ holds }: Comparison, { colours }: Look): string {
  if (holds === null) return colours.dim('-- ')
  return holds ? colours.green('ok ') : colours.red('NO ')
}

function comparisonLines(comparisons: readonly Comparison[], look: Look): readonly string[] {
  if (comparisons.length === 0) return []
  return [
    '',
    look.colours.bold('compared'),
    ...comparisons.flatMap((one) =>
      hanging(`  ${markOf(one, look)} `, 6, safe(one.says), look.width),
    ),
  ]
}

function warningLines(warnings: readonly Warning[], look: Look): readonly string[] {
  if (warnings.length === 0) return ['', look.colours.dim('no warnings')]
  return [
    '',
    look.colours.bold(warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`),
    ...warnings.flatMap((warning) => oneWarning(warning, look)),
  ]
}

function oneWarning(
  { id, why, count, places }: Warning,
  { colours, width }: Look,
): readonly string[] {
  const times = count === 1 ? '' : `  ${count} times`
  const shown = places.slice(0, MOST_PLACES)
  const rest = count - shown.length
  return [
    `  ${colours.yellow(id)}${times}`,
    ...hanging('    ', 4, why, width),
    ...shown.flatMap(({ part, offset, path, says }) =>
      hanging(
        '    at ',
        7,
        `byte ${thousands(offset)}, ${path === '' ? part : path}: ${says}`,
        width,
      ),
    ),
    ...(rest > 0 ? [`    and ${thousands(rest)} more`] : []),
  ]
}

function brokenLines(broken: readonly Broken[], { colours, width }: Look): readonly string[] {
  return broken.flatMap(({ part, offset, path, why }) => [
    '',
    ...hanging(
      `${colours.red('BROKEN')}  `,
      8,
      `${part} at byte ${thousands(offset)}${path === '' ? '' : `, in ${path}`}: ${why}`,
      width,
    ),
  ])
}
