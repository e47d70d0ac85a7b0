import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonOf } from '../report/json/write-json.ts'
import type { ScenarioResult } from '../report/result.ts'
import { sampleResult } from '../report/testing/sample-result.ts'
import { HOSTILE, sampleTranscripts } from '../report/testing/sample-scenarios.ts'
import { Transcripts } from '../report/transcripts/transcripts.ts'
import { TRANSCRIPTS_FILE, writeTranscripts } from '../report/transcripts/write-transcripts.ts'
import { visible } from '../report/visible.ts'
import { reportMain } from './report-main.ts'

const FAILED = 'push.evidence.nonce-replayed'
const PASSED = 'push.evidence.accepted'

let home = ''

/** The sample without the transcripts of passing scenarios, as a run keeps it by default. */
const dropPassed = (scenario: ScenarioResult): ScenarioResult => {
  const { outcome, transcript } = scenario
  return outcome === 'pass' ? { ...scenario, transcript: { ...transcript, kept: false } } : scenario
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'assay-show-'))
  for (const name of ['all', 'notable', 'alone', 'damaged']) await mkdir(join(home, name))
  const { scenarios, ...rest } = sampleResult()
  await writeFile(join(home, 'all', 'result.json'), jsonOf(sampleResult()))
  await writeTranscripts(sampleTranscripts(), join(home, 'all'))
  const dropped = scenarios.map(dropPassed)
  const notable = new Transcripts('notable')
  for (const one of dropped) if (one.transcript.kept) notable.keep(one, sampleTranscripts().of(one))
  await writeFile(join(home, 'notable', 'result.json'), jsonOf({ ...rest, scenarios: dropped }))
  await writeTranscripts(notable, join(home, 'notable'))
  await copyFile(join(home, 'notable', TRANSCRIPTS_FILE), join(home, 'alone', TRANSCRIPTS_FILE))
  const whole = gzipSync('{"id":"x","version":"3.0","transcript":[]}\n'.repeat(99))
  const damaged: Readonly<Record<string, Uint8Array>> = {
    'cut.gz': whole.subarray(0, whole.length - 12),
    'text.gz': Buffer.from('no gzip'),
    'no-json.gz': gzipSync('{"id":"x"\n'),
    'shape.gz': gzipSync('{"id":"x","version":"3.0","transcript":[{"lane":"tpm"}]}\n'),
  }
  for (const [name, bytes] of Object.entries(damaged))
    await writeFile(join(home, 'damaged', name), bytes)
})

afterAll(() => rm(home, { recursive: true, force: true }))

const showFrom = async (path: string, ...words: readonly string[]): Promise<string> => {
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text) }
  const file = path.endsWith('.gz') ? path : join(path, TRANSCRIPTS_FILE)
  expect(await reportMain(['show', ...words, '--transcripts', join(home, file)], stream)).toBe(0)
  return written.join('')
}

test('a transcript shows outcome, exchanges, TPM commands, notes and the checks of each entry', async () => {
  const text = await showFrom('notable', FAILED)
  expect(text).toMatch(
    /^push\.evidence\.nonce-replayed {2}3\.0\nThe verifier rejects evidence over an earlier challenge\nfail: /,
  )
  expect(text).toContain('PATCH https://127.0.0.1:8881/v3/agents/')
  expect(text).toContain('> content-type: application/json\n')
  expect(text).toContain('202 Accepted, after 55 ms\n')
  expect(text).toContain('<   "data": {\n')
  expect(text).toContain('TPM2_Quote: TPM_RC_SUCCESS, after 31 ms')
  expect(text).toMatch(/command, 87 bytes\n {9}0000 {2}80 02 /)
  expect(text).toContain('the quote is made over the first challenge')
  expect(text).toContain('check did not hold: failure_reason  VPUSH-REASON-BROKEN\n')
})

test('an exchange without a response shows the reason', async () => {
  expect(await showFrom('notable', 'push.session.silent')).toContain(
    'no answer before the deadline of 20 s, after 20.0 s\n',
  )
})

test('control characters of a hostile subject do not reach the terminal', async () => {
  const text = await showFrom('notable', 'registrar.answer.hostile')
  expect(HOSTILE).toContain('\u001b[31m')
  expect(text).toContain(String.raw`\u001b[31mred`)
  expect(visible(text)).toBe(text)
})

test('without --version the transcripts of every version are shown', async () => {
  const both = await showFrom('all', 'registrar.agents.list')
  expect(both.match(/^registrar\.agents\.list {2}/gm)).toHaveLength(3)
  const one = await showFrom('all', 'registrar.agents.list', '--version', '2.5')
  expect(one).toMatch(/^registrar\.agents\.list {2}2\.5\n/)
  expect(one.match(/^registrar\.agents\.list {2}/gm)).toHaveLength(1)
})

test('without a result in the same directory only the transcript is shown', async () => {
  expect(await showFrom('alone', FAILED)).toMatch(
    /^push\.evidence\.nonce-replayed {2}3\.0\n\n {3}1 /,
  )
})

const REPEAT = 'npm start -- --target vendor.yaml --seed 7f3a91c2 --only'

test.each([
  [
    'notable',
    [PASSED],
    /^push.evidence.accepted under 3.0 has no transcript: it was not kept/,
    `repeat it with ${REPEAT} ${PASSED}`,
  ],
  ['notable', ['push.evidence.old-index'], /its passing twin .* did not pass/, REPEAT],
  [
    'notable',
    ['push.evidence.accept'],
    /the run has no scenario push.evidence.accept$/,
    `assay report show ${PASSED}`,
  ],
  ['notable', ['nothing.of.the.kind'], /no scenario nothing.of.the.kind$/, 'assay list'],
  ['notable', [FAILED, '--version', '2.1'], /did not run under 2.1$/, 'give --version 3.0'],
  [
    'alone',
    [PASSED],
    /has no transcript of push.evidence.accepted$/,
    `repeat it with npm start -- --only ${PASSED}`,
  ],
  [
    'absent',
    [PASSED],
    /cannot be read: no such file or directory$/,
    `write it again with npm start -- --only ${PASSED}`,
  ],
  [
    'damaged/cut.gz',
    ['x'],
    /is damaged or no file of a run: unexpected end/,
    'npm start -- --only x',
  ],
  ['damaged/text.gz', ['x'], /is damaged or no file of a run: /, 'npm start -- --only x'],
  ['damaged/no-json.gz', ['x'], /line 1 is not JSON$/, 'npm start -- --only x'],
  [
    'damaged/shape.gz',
    ['x'],
    /line 1, at \/transcript\/0: it must match exactly one schema/,
    'npm start -- --only x',
  ],
])(
  'for %s, %j is refused with one sentence and the next step',
  async (path, words, sentence, next) => {
    await expect(showFrom(path, ...words)).rejects.toMatchObject({
      name: 'SetupFault',
      sentence: expect.stringMatching(sentence),
      next: expect.stringContaining(next),
    })
  },
)
