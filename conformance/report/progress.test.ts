import { expect, test } from 'vitest'
import { createProgress, type ProgressOptions, wantsColour } from './progress.ts'
import type { RunResult, ScenarioResult } from './result.ts'
import { ERASE, fakeTerminal, fakeTicker } from './testing/fake-terminal.ts'
import { sampleResult } from './testing/sample-result.ts'
import { visible } from './visible.ts'

const PATHS = [
  'report.html',
  'result.json',
  'junit.xml',
  'transcripts.jsonl.gz',
  'result.sarif',
].map((name) => `/run/out/${name}`)

const recording = (options: Partial<ProgressOptions> & { readonly columns?: number } = {}) => {
  const written: string[] = []
  const { columns } = options
  const stream = { write: (text: string) => written.push(text), columns }
  const progress = createProgress({ stream, colour: false, cwd: '/run', ...options })
  return { progress, lines: () => written.join('').split('\n') }
}

const scenarioOf = (id: string): ScenarioResult => {
  const found = sampleResult().scenarios.find((one) => one.id === id)
  if (found === undefined) throw new Error(`the sample has no ${id}`)
  return found
}

const finished = (id: string, options?: Parameters<typeof recording>[0]): readonly string[] => {
  const { progress, lines } = recording(options)
  progress.finished(scenarioOf(id))
  return lines()
}

const closed = (result: RunResult, options?: Partial<ProgressOptions>): readonly string[] => {
  const { progress, lines } = recording(options)
  progress.closing(result, PATHS)
  return lines()
}

test('a finished scenario is one line', () => {
  expect(finished('push.evidence.accepted')).toEqual([
    'PASS  push.evidence.accepted  3.0  The verifier accepts evidence of a recorded boot  412 ms',
    '',
  ])
})

test('a failure prints the expected and received value, the requirement and the repeat command', () => {
  expect(finished('push.evidence.nonce-replayed').slice(1, 5)).toEqual([
    '      failure_reason  VPUSH-REASON-BROKEN',
    '        expected  broken_evidence_chain',
    '        received  policy_violation',
    '      repeat    npm start -- --target vendor.yaml --seed 7f3a91c2 --only push.evidence.nonce-replayed',
  ])
})

test('a failure lists excused checks and warnings after the failed checks that count', () => {
  const lines = finished('registrar.answer.hostile').map((line) => line.trim())
  expect(
    lines.filter((line) => /^(?:status|code|type of port|excused|warning) /.test(line)),
  ).toEqual([
    'status  REG-ENVELOPE',
    'code  REG-ENVELOPE',
    'excused   waived until 2027-01-31: mended in the next release (https://vendor.example/41)',
    'type of port  REG-PORT-TYPE',
    'warning   the document is silent here',
  ])
})

test('a waived scenario shows the check and the reason of the waiver', () => {
  expect(finished('registrar.agents.unknown').slice(1, -1)).toEqual([
    '      status  REG-UNKNOWN-AGENT',
    '        expected  404',
    '        received  500',
    '        excused   waived until 2027-01-31: mended in the next release (https://vendor.example/41)',
  ])
})

test('a warning shows the failed check without a repeat command', () => {
  const lines = finished('registrar.agents.port-type')
  expect(lines[0]).toMatch(/^WARN {2}registrar\.agents\.port-type/)
  expect(lines.slice(1, -1).map((line) => line.trim().split(' ')[0])).toEqual([
    'type',
    'expected',
    'received',
    'warning',
  ])
})

test('an observation is one line with its reason', () => {
  expect(finished('push.attestation.unknown-index').slice(1)).toEqual([
    '      the document is silent here',
    '',
  ])
})

test('a skipped scenario shows the reason', () => {
  expect(finished('push.timeout.lockout')[1]).toContain('its passing twin')
})

test('a title is cut to the width of the terminal', () => {
  const [line = ''] = finished('push.evidence.accepted', { columns: 60 })
  expect(line).toHaveLength(60)
  expect(line).toContain('The verifier acc…')
})

test('escape sequences of the subject do not reach the terminal', () => {
  const text = finished('registrar.answer.hostile').join('\n')
  expect(visible(text)).toBe(text)
  expect(text).toContain(String.raw`\x1b[31mred`)
})

test('the last line is the summary, without colour', () => {
  const lines = closed(sampleResult(), { colour: true })
  expect(lines.slice(-3)).toEqual([
    '',
    'scenarios: 4 passed, 6 failed, 1 skipped, 1 not applicable, 1 observed, 1 waived',
    '',
  ])
})

test('the closing lines show seed, verdict, relative report paths and the next command', () => {
  const lines = closed(sampleResult())
  expect(lines).toEqual(
    expect.arrayContaining([
      `verdict      does not conform: ${sampleResult().scope?.text} (exit code 1)`,
      'seed         7f3a91c2',
      'reports      out/report.html',
      '             out/result.json',
      '             out/junit.xml',
      '             out/transcripts.jsonl.gz',
      '             out/result.sarif',
      'next         npm start -- --target vendor.yaml --seed 7f3a91c2 --only registrar.agents.list',
    ]),
  )
})

test('the closing lines list complaints, and the reasons against certification once', () => {
  const complaints = ['the first complaint', 'the second complaint']
  const because = [...complaints, '--only left scenarios out', 'the verdict is: does not conform']
  const lines = closed({
    ...sampleResult(),
    complaints,
    certification: { possible: false, because },
  })
  expect(lines).toEqual(
    expect.arrayContaining([
      'complaints   the first complaint',
      '             the second complaint',
      'certificate  not possible: the complaints above; --only left scenarios out; the verdict is: does not conform',
    ]),
  )
})

test('a run that can be certified shows that, without complaints', () => {
  const lines = closed(sampleResult([scenarioOf('push.evidence.accepted')]))
  expect(lines).toContain(`certificate  possible for ${sampleResult().scope?.text}`)
  expect(lines.filter((line) => line.startsWith('complaints'))).toEqual([])
})

test('every scenario that did not pass is listed with its reason', () => {
  const lines = closed(sampleResult()).map((line) => line.trim())
  expect(lines).toContain('BLOCKED  push.evidence.old-index  3.0')
  expect(lines).toContain('its passing twin registrar.agents.list did not pass: HTTP 500')
  expect(lines).toContain('N/A      push.evidence.uefi  3.0')
})

test('a run of passes has no next command', () => {
  const lines = closed(sampleResult([scenarioOf('push.evidence.accepted')]))
  expect(lines.filter((line) => line.startsWith('next') || line === 'other than pass')).toEqual([])
  expect(lines.at(-2)).toBe('scenarios: 1 passed, 0 failed, 0 skipped')
})

test('the table counts by role and outcome', () => {
  const rows = closed(sampleResult()).filter((line) => line.startsWith('│'))
  expect(
    rows.map((row) =>
      row
        .split('│')
        .map((cell) => cell.trim())
        .join(' ')
        .trim(),
    ),
  ).toEqual([
    'role pass warn seen fail hang blocked waived n/a skipped fault',
    'registrar 2 1 0 2 0 0 1 0 0 0',
    'verifier 1 0 1 1 1 1 0 1 1 1',
    'all 3 1 1 3 1 1 1 1 1 1',
  ])
})

test('the table omits columns of zeros, except pass and fail', () => {
  const columns = (id: string) =>
    closed(sampleResult([scenarioOf(id)]))
      .find((line) => line.startsWith('│ role'))
      ?.match(/\w+/g)
  expect(columns('push.session.silent')).toEqual(['role', 'pass', 'fail', 'hang'])
  expect(columns('push.evidence.accepted')).toEqual(['role', 'pass', 'fail'])
})

test('setup steps and the number of scenarios are announced', () => {
  const { progress, lines } = recording()
  progress.setup({ what: 'clock', ok: false, detail: 'skew 90 s', ms: 2 })
  progress.began([{ id: 'push.evidence.accepted' }])
  expect(lines()).toEqual([
    'setup  failed  clock: skew 90 s  2 ms',
    '',
    'running 1 scenario',
    '',
    '',
  ])
})

test.each([
  ['a terminal', { isTTY: true }, {}, true],
  ['no terminal', {}, {}, false],
  ['a terminal with NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, false],
  ['a terminal with an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, true],
  ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, false],
])('%s decides whether output is coloured', (_, stream, environment, colour) => {
  expect(wantsColour(stream, environment)).toBe(colour)
})

test('quiet: failures and the verdict alone', () => {
  const { progress, lines } = recording({ detail: 'quiet' })
  for (const step of sampleResult().setup) progress.setup(step)
  progress.setup({ what: 'clock', ok: false, detail: 'skew 90 s', ms: 2 })
  progress.began([])
  for (const id of ['push.evidence.accepted', 'push.evidence.nonce-replayed'])
    progress.finished(scenarioOf(id))
  progress.finished(scenarioOf('registrar.agents.unknown'))
  progress.closing(sampleResult(), PATHS)
  expect(lines().filter((line) => !line.startsWith(' '))).toEqual([
    'setup  failed  clock: skew 90 s  2 ms',
    expect.stringMatching(/^FAIL {2}push\.evidence\.nonce-replayed/),
    `verdict      does not conform: ${sampleResult().scope?.text} (exit code 1)`,
    expect.stringMatching(/^complaints /),
    '',
  ])
})

test('quiet: a run of passes is one line', () => {
  const { progress, lines } = recording({ detail: 'quiet' })
  const result = sampleResult([scenarioOf('push.evidence.accepted')])
  for (const step of result.setup) progress.setup(step)
  progress.began([{ id: 'push.evidence.accepted' }])
  for (const scenario of result.scenarios) progress.finished(scenario)
  progress.closing(result, PATHS)
  expect(lines()).toEqual([expect.stringMatching(/^verdict {6}conforms/), ''])
})

/** A run of the sample on a terminal, up to its end. */
const running = (environment: Readonly<Record<string, string>> = {}) => {
  const { ticker, tick, running: ticks } = fakeTicker()
  const stream = fakeTerminal({ columns: 200, rows: 10 })
  const clock = { ticker, now: () => 0 }
  const told = { stream, environment, ...clock, colour: false, cwd: '/run' } as const
  const progress = createProgress({ ...told, detail: 'counts' })
  progress.setup({ what: 'target', ok: true, detail: 'ours', ms: 0 })
  progress.setup({ what: 'clock', ok: true, detail: 'skew 0 s', ms: 2 })
  tick()
  const setUp = stream.screen()
  progress.began(sampleResult().scenarios)
  tick()
  for (const scenario of sampleResult().scenarios) progress.finished(scenario)
  tick()
  return { progress, stream, setUp, ticks }
}

test('on a terminal the target, what failed and the live lines are all that is printed', () => {
  const { stream, setUp } = running()
  expect(setUp).toEqual(['setup  ok      target: ours  0 ms', 'setting up: clock, 0 s', ''])
  expect(stream.screen().filter((line) => !line.startsWith(' '))).toEqual([
    'setup  ok      target: ours  0 ms',
    ...Array(6).fill(expect.stringMatching(/^(FAIL|HANG|BLOCKED|FAULT) /)),
    'push        8 of  8  4 failed',
    'registrar   6 of  6  2 failed',
    'all        14 of 14  6 failed',
    '0 s, ending the deployment and writing the reports',
    '',
  ])
})

test('the closing lines replace the live ones', () => {
  const { progress, stream, ticks } = running()
  progress.closing(sampleResult(), PATHS)
  expect(ticks()).toEqual([])
  expect(stream.screen().filter((line) => /^(push|all) /.test(line))).toEqual([])
  expect(stream.screen().at(-2)).toMatch(/^scenarios: 4 passed/)
})

test('after a signal and after a fault the terminal stays as it is', () => {
  const { progress, stream, ticks } = running()
  progress.interrupted()
  stream.write('^C')
  progress.finished(scenarioOf('push.evidence.accepted'))
  progress.failed(new Error('no'))
  expect([stream.screen().at(-1), ticks()]).toEqual(['^C', []])
})

test('on a terminal, too, escape sequences of the subject are spelled out', () => {
  const { stream } = running()
  const own = stream.written().replaceAll(new RegExp(ERASE.source.slice(1), 'g'), '')
  expect(visible(own)).toBe(own)
  expect(own).toContain(String.raw`\x1b[31mred`)
})

test('in CI a line says how far the run is', () => {
  const { stream } = running({ CI: 'true' })
  expect(stream.screen().filter((line) => /^(setting|\d)/.test(line))).toEqual([
    'setting up: clock, 0 s',
    '0 of 14 scenarios, 0 s',
    '14 of 14 scenarios, 6 failed, 0 s, ending the deployment and writing the reports',
  ])
})

test('a baseline is named below the verdict', () => {
  const entry = { scenario: 'a', version: '3.0', requirement: 'REQ', what: 'status' }
  const waived = { ...scenarioOf('registrar.agents.unknown'), expected: 'fail' as const }
  const baseline = { file: 'known.yaml', entries: [entry, { ...entry, version: '2.5' }] }
  const result = { ...sampleResult([waived]), baseline, verdict: 'matches the baseline' as const }
  const lines = closed(result)
  const at = lines.findIndex((line) => line.startsWith('verdict      matches the baseline: '))
  expect(lines[at + 1]).toBe(
    'baseline     known.yaml: 2 expected failures, 1 scenario waived for them',
  )
})
