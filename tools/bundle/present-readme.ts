import { STATUS_CODES } from 'node:http'
import { standingOf } from '../../conformance/report/diff/standing.ts'
import { OUTCOME_ROWS, reasonOf } from '../../conformance/report/outcomes.ts'
import type { CheckResult } from '../../conformance/report/result.ts'
import type { TranscriptEntry } from '../../conformance/report/transcripts/transcript-entry.ts'
import { duration, visibleLine } from '../../conformance/report/visible.ts'
import type { Recording } from './recording.ts'

/** Characters of a value in the text; `bundle.json` has it completely. */
const SHOWN = 300

const shortened = (text: string): string =>
  visibleLine(text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text)

/** Text in a code span, whatever backticks it contains. */
function code(text: string): string {
  const line = shortened(text)
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const gap = longest > 0 ? ' ' : ''
  return line === '' ? '(empty)' : `${fence}${gap}${line}${gap}${fence}`
}

function failures({ scenario, result }: Recording): readonly string[] {
  const failed = scenario.checks.filter((check) => standingOf(check) !== 'held')
  const step = scenario.failed_step
  const says = (id: string) => result.requirements.find((row) => row.id === id)
  const ofCheck = (check: Pick<CheckResult, 'what' | 'expected' | 'received'>, id?: string) => {
    const row = id === undefined ? undefined : says(id)
    const clause =
      row && `${visibleLine(row.says)} (interface document, line ${row.lines.join(', ')})`
    return [
      `### ${visibleLine(check.what)}`,
      '',
      ...(id === undefined ? [] : [`Requirement ${id}: ${clause ?? 'see the catalogue'}.`, '']),
      `- expected: ${code(check.expected)}`,
      `- received: ${code(check.received)}`,
      '',
    ]
  }
  return [
    ...(step === undefined ? [] : ofCheck(step, step.requirement)),
    ...failed.flatMap((check) => [
      ...ofCheck(check, check.requirement),
      ...(check.at < 0 ? [] : [`After step ${check.at + 1}.`, '']),
    ]),
  ]
}

function stepOf(entry: TranscriptEntry): string {
  switch (entry.lane) {
    case 'wire': {
      const { request, response, failure } = entry
      const answer = response
        ? `${response.status} ${STATUS_CODES[response.status] ?? ''}`.trim()
        : (failure ?? 'no response')
      return `${visibleLine(entry.speaker)} sends ${code(`${request.method} ${request.url}`)} → ${visibleLine(answer)}`
    }
    case 'tpm':
      return `${entry.machine}: ${entry.command} → ${entry.response_code}`
    case 'note':
      return `*${visibleLine(entry.text)}*`
  }
}

/** Consecutive TPM commands are one step in the list, since a quote alone takes several. */
function steps({ kept }: Recording): readonly string[] {
  const { transcript } = kept
  return transcript.flatMap((entry, at) => {
    if (entry.lane !== 'tpm') return [`- **${at + 1}** ${stepOf(entry)}`]
    if (transcript[at - 1]?.lane === 'tpm') return []
    const end = transcript.findIndex((other, later) => later > at && other.lane !== 'tpm')
    const count = (end < 0 ? transcript.length : end) - at
    if (count === 1) return [`- **${at + 1}** ${stepOf(entry)}`]
    return [
      `- **${at + 1}** ${entry.machine}: ${entry.command}, and ${count - 1} more TPM commands`,
    ]
  })
}

const FILES: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [/^bundle\.json$/, 'the result with every check, the seed, and the SHA-256 of each file'],
  [/^transcript\.json$/, 'every request, response, TPM command and note, in order of time'],
  [/^exchange\.har$/, 'the same exchanges as HTTP Archive 1.2, for browsers and other tools'],
  [/^requests\.sh$/, 'a curl command for each request'],
  [/^bodies\//, 'the bodies that these commands send'],
  [/^evidence\//, 'long values of the bodies, decoded: logs, policies, quotes'],
  [/^tpm-commands\.log$/, 'every TPM command and response in hex'],
  [
    /^tpm\//,
    'the files of each virtual TPM (swtpm) before the first step; test keys, made for the run',
  ],
  [/^scenarios\//, 'the source of the scenario'],
  [/^target\.yaml$/, 'the target file'],
  [/^logs\//, 'the end of what the deployment wrote'],
]

/** Markdown that says what failed and how to repeat it, for a maintainer without Assay. */
export function presentReadme(
  recording: Recording,
  paths: readonly string[],
  name: string,
): string {
  const { scenario, result } = recording
  const { id, version, title, outcome } = scenario
  const found = failures(recording)
  const files = FILES.flatMap(([pattern, meaning]) => {
    const count = paths.filter((path) => pattern.test(path)).length
    const [first = ''] = paths.filter((path) => pattern.test(path))
    const folder = first.includes('/') ? `${first.split('/')[0]}/` : first
    return count === 0 ? [] : [`| ${folder} | ${meaning} |`]
  })
  const lines = [
    `# ${visibleLine(title)}`,
    '',
    `Scenario \`${id}\` of Assay ${result.assay_version} against ${code(result.target.name)}, API ${version}: **${OUTCOME_ROWS[outcome].word}**${outcome === 'pass' ? '' : `, ${shortened(reasonOf(scenario))}`}.`,
    `Run of ${result.started_at}, seed \`${result.seed}\`, ${duration(scenario.ms)}. Secrets are redacted.`,
    '',
    ...(found.length > 0 ? ['## What did not hold', '', ...found] : []),
    '## What happened',
    '',
    ...steps(recording),
    '',
    '## To repeat it',
    '',
    'By hand: `requests.sh` has the requests as curl commands. With Assay, with the same choices and virtual TPMs:',
    '',
    '```',
    `assay replay ${name} --target YOUR.target.yaml`,
    '```',
    '',
    '## Files',
    '',
    '| file | contents |',
    '|---|---|',
    ...files,
  ]
  return `${lines.join('\n')}\n`
}
