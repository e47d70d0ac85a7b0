import { expect, test } from 'vitest'
import { createProgress, type ProgressOptions, wantsColour } from './progress.ts'
import type { RunResult, ScenarioResult } from './result.ts'
import { sampleResult } from './sample-result.ts'
import { visible } from './visible.ts'

const PATHS = {
  html: '/run/out/report.html',
  json: '/run/out/result.json',
  junit: '/run/out/junit.xml',
}

const recording = (options: Partial<ProgressOptions> = {}) => {
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text) }
  const progress = createProgress({ stream, colour: false, cwd: '/run', ...options })
  return { progress, lines: () => written.join('').split('\n') }
}

const scenarioOf = (id: string): ScenarioResult => {
  const found = sampleResult().scenarios.find((one) => one.id === id)
  if (found === undefined) throw new Error(`the sample has no ${id}`)
  return found
}

const finished = (id: string, options?: Partial<ProgressOptions>): readonly string[] => {
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
    'PASS  push.evidence.accepted  3.0  Evidence of a real boot passes  412 ms',
    '',
  ])
})

test('a failure prints at once what was expected and received, the requirement and the repeat command', () => {
  expect(finished('push.evidence.nonce-replayed').slice(1, 5)).toEqual([
    '      failure_reason  VPUSH-REASON-BROKEN',
    '        expected  broken_evidence_chain',
    '        received  policy_violation',
    '      repeat    npm start -- --target vendor.yaml --seed 7f3a91c2 --api 3.0 --only push.evidence.nonce-replayed',
  ])
})

test('a skipped scenario says why', () => {
  expect(finished('push.timeout.lockout')[1]).toContain('needs --slow')
})

test('a title is cut to the width of the terminal', () => {
  const [line = ''] = finished('push.evidence.accepted', { width: 60 })
  expect(line).toHaveLength(60)
  expect(line).toContain('Evidence of a re…')
})

test('no escape sequence of the subject reaches the terminal', () => {
  const text = finished('registrar.answer.hostile').join('\n')
  expect(visible(text)).toBe(text)
  expect(text).toContain(String.raw`\x1b[31mred`)
})

test('the last line is the summary, alone and without colour', () => {
  const lines = closed(sampleResult(), { colour: true })
  expect(lines.slice(-3)).toEqual(['', 'scenarios: 3 passed, 6 failed, 2 skipped', ''])
})

test('the closing names seed, verdict, reports relative to the directory, and the next command', () => {
  const lines = closed(sampleResult())
  expect(lines).toEqual(
    expect.arrayContaining([
      'verdict   does not conform (exit code 1)',
      'seed      7f3a91c2',
      'reports   out/report.html',
      '          out/result.json',
      '          out/junit.xml',
      'next      npm start -- --target vendor.yaml --seed 7f3a91c2 --api 3.0 --only registrar.agents.list',
    ]),
  )
})

test('everything that did not pass is listed with its reason', () => {
  const lines = closed(sampleResult()).map((line) => line.trim())
  expect(lines).toContain('BLOCKED  push.evidence.old-index  3.0')
  expect(lines).toContain('its passing twin registrar.agents.list did not pass under 3.0')
  expect(lines).toContain('N/A      push.evidence.uefi  3.0')
})

test('a run in which all passed names no next command', () => {
  const lines = closed(sampleResult([scenarioOf('push.evidence.accepted')]))
  expect(lines.filter((line) => line.startsWith('next') || line === 'not passed')).toEqual([])
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
    'role pass fail hang blocked n/a skipped error',
    'registrar 2 2 0 0 0 0 0',
    'verifier 1 1 1 1 1 1 1',
    'all 3 3 1 1 1 1 1',
  ])
})

test('setup steps and the number of scenarios are announced', () => {
  const { progress, lines } = recording()
  progress.setup({ what: 'clock', ok: false, detail: 'skew 90 s', ms: 2 })
  progress.began(1)
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
])('%s decides about colour', (_, stream, environment, colour) => {
  expect(wantsColour(stream, environment)).toBe(colour)
})
