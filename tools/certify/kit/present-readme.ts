import { counted, shortLine, thousands } from '../../../conformance/report/visible.ts'
import { coverRows } from '../judge/cover-rows.ts'
import { versionsOf } from './badge.ts'
import { COVERED, NAMES } from './kit-files.ts'
import { makeStatement, type StatementParts } from './statement.ts'

/** The page at the front of a kit: what is certified, what is not, and how to verify it. */
export function presentReadme(parts: StatementParts): string {
  const { catalogue, subjects, runs, signed } = parts
  const { profile, rows, assay_version } = catalogue
  const { passedTests, warnedTests } = makeStatement(parts).predicate
  const target = runs[0]?.result.target
  const left = runs.flatMap(({ result }) => coverRows(result, catalogue).left)
  const notCovered = new Map(left.map(({ row, why }) => [row, why]))
  const lines = [
    `# Certificate: ${profile.subject}, API ${versionsOf(parts)}`,
    '',
    `Assay ${assay_version} ran every scenario of the profile \`${profile.name}\` ${runs.length} times, each time with another seed, without a waiver. Every one that applies passed.`,
    '',
    '| | |',
    '|---|---|',
    ...subjects.map(
      ({ name, digest }) => `| subject | ${cell(name)}, SHA-256 \`${digest.sha256}\` |`,
    ),
    `| deployment | ${cell(target?.name ?? '')}, dialect ${cell(target?.dialect ?? '')} |`,
    `| covers | ${cell(runs[0]?.result.scope?.text ?? '')} |`,
    `| scenarios | ${thousands(passedTests.length)} passed, ${thousands(warnedTests.length)} with a warning |`,
    `| rows | ${thousands(rows.length - notCovered.size)} of ${thousands(rows.length)} of the profile |`,
    ...runs.map(
      ({ name, result }) => `| ${name} | seed \`${result.seed}\`, ended ${result.finished_at} |`,
    ),
    `| signature | ${cell(signed)} |`,
    '',
    ...notCoveredLines(notCovered),
    '## Verify',
    '',
    '```',
    'assay certificate verify KIT --key runner.pub.pem      # the key of the runner, from the runner',
    `sha256sum -c ${NAMES.sums}`,
    '```',
    '',
    `\`${NAMES.statement}\` is an in-toto statement (test result) in a DSSE envelope. It has the digests of ${counted(COVERED.length, 'file')}; \`${NAMES.key}\` is the public key.`,
  ]
  return `${lines.join('\n')}\n`
}

function notCoveredLines(rows: ReadonlyMap<string, string>): readonly string[] {
  if (rows.size === 0) return []
  return ['## Not covered', '', ...[...rows].map(([row, why]) => `* \`${row}\`: ${cell(why)}`), '']
}

/** A text of someone else in Markdown: one line, without markup. */
function cell(text: string): string {
  return shortLine(text, 300).replaceAll(/[|`*_<>[\]\\]/g, (mark) => `\\${mark}`)
}
