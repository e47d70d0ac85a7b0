import { STATUS_CODES } from 'node:http'
import { STANDING_ROWS, standingOf } from '../diff/standing.ts'
import { OUTCOME_ROWS, reasonOf } from '../outcomes.ts'
import { type Colours, paint } from '../present-table.ts'
import type { ScenarioResult } from '../result.ts'
import { counted, duration, visible, visibleLine } from '../visible.ts'
import { attestationsIn } from './attestations-in.ts'
import { hexRows } from './hex-rows.ts'
import { prettyJson } from './pretty-json.ts'
import type { TpmEntry, TranscriptEntry, WireEntry } from './transcript-entry.ts'
import type { KeptTranscript } from './transcripts.ts'

const INDENT = '       '

/** Received text of several lines with the same margin. */
const block = (text: string, margin: string): readonly string[] =>
  visible(text)
    .split('\n')
    .map((line) => `${INDENT}${margin}${line}`)

const tlsWords = ({ tls, request }: WireEntry): string => {
  if (tls === undefined)
    return request.url.startsWith('https:') ? 'TLS facts not recorded' : 'no TLS'
  const handshake = tls.resumed ? 'resumed' : 'full handshake'
  const certificate = tls.client_certificate ?? 'none'
  return `${tls.protocol}, ${handshake}, client certificate: ${certificate}`
}

const messageLines = (
  { headers, body = '' }: Pick<WireEntry['request'], 'headers' | 'body'>,
  margin: string,
): readonly string[] => [
  ...Object.entries(headers).map(
    ([name, value]) => `${INDENT}${margin}${visibleLine(`${name}: ${value}`)}`,
  ),
  ...(body === '' ? [] : [`${INDENT}${margin}`, ...block(prettyJson(body) ?? body, margin)]),
  ...attestationsIn(body).map((one) => `${INDENT}${margin}decoded: ${visibleLine(one)}`),
]

const wireLines = (entry: WireEntry): readonly string[] => {
  const { request, response, failure } = entry
  const status = response && `${response.status} ${STATUS_CODES[response.status] ?? ''}`.trim()
  const answer = [status, failure].filter((one) => one !== undefined).join('; ')
  return [
    visibleLine(`${request.method} ${request.url}`),
    `${INDENT}${visibleLine(`${entry.speaker}; ${tlsWords(entry)}`)}`,
    ...messageLines(request, '> '),
    `${INDENT}${visibleLine(answer || 'no response')}, after ${duration(entry.ms)}`,
    ...(response === undefined ? [] : messageLines(response, '< ')),
  ]
}

const hexLines = (name: string, hex: string): readonly string[] => [
  `${INDENT}${name}, ${counted(hex.length / 2, 'byte')}`,
  ...block(hexRows(hex), '  '),
]

const tpmLines = (entry: TpmEntry): readonly string[] => [
  visibleLine(`${entry.command}: ${entry.response_code}, after ${duration(entry.ms)}`),
  `${INDENT}on ${visibleLine(entry.machine)}`,
  ...(entry.detail === '' ? [] : block(entry.detail, '')),
  ...hexLines('command', entry.command_hex),
  ...hexLines('response', entry.response_hex),
]

const entryLines = (entry: TranscriptEntry): readonly string[] => {
  switch (entry.lane) {
    case 'wire':
      return wireLines(entry)
    case 'tpm':
      return tpmLines(entry)
    case 'note':
      return [visibleLine(entry.text)]
  }
}

const checkLines = (scenario: ScenarioResult | undefined, at: number): readonly string[] =>
  (scenario?.checks ?? [])
    .filter((check) => check.at === at)
    .map((check) => {
      const { words } = STANDING_ROWS[standingOf(check)]
      const cell = check.cell === undefined ? '' : `  ${check.cell}`
      return `${INDENT}check ${words}: ${visibleLine(`${check.what}  ${check.requirement}${cell}`)}`
    })

const heading = (
  { id, version }: KeptTranscript,
  scenario: ScenarioResult | undefined,
  colours: Colours,
): readonly string[] => {
  const name = colours.bold(visibleLine(`${id}  ${version}`))
  if (scenario === undefined) return [name]
  const { outcome } = scenario
  const words = paint(colours, outcome, OUTCOME_ROWS[outcome].word)
  const why = outcome === 'pass' ? '' : `: ${visibleLine(reasonOf(scenario))}`
  return [name, visibleLine(scenario.title), `${words}${why}`]
}

/**
 * A transcript for a terminal: requests with `>`, responses with `<`, TPM commands in hex, and, given the scenario's
 * result, the checks of each entry. Invisible characters are spelled out.
 */
export const presentTranscript = (
  kept: KeptTranscript,
  scenario: ScenarioResult | undefined,
  colours: Colours,
): string => {
  const entries = kept.transcript.map((entry, at) => {
    const [first = '', ...rest] = entryLines(entry)
    const head = `${String(at + 1).padStart(4)}   ${colours.bold(first)}  ${colours.dim(`+${duration(entry.at_ms)}`)}`
    return [head, ...rest, ...checkLines(scenario, at)].join('\n')
  })
  return [heading(kept, scenario, colours).join('\n'), ...entries].join('\n\n')
}
