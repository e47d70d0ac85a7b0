import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleResult } from '../testing/sample-result.ts'
import { annotationsOf, escapeData, escapeProperty, markdown, summaryOf } from './github.ts'
import { createReporters } from './reporters.ts'

const PATHS = ['h', 'j', 'u', 't']
const FACTS = { assay_version: '0', target: 't', seed: '1', scenarios: 1 }

const passed = () =>
  sampleResult(sampleResult().scenarios.filter(({ id }) => id === 'push.evidence.accepted'))

const printed = (summary?: string) => {
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text) }
  const environment = { GITHUB_STEP_SUMMARY: summary }
  const progress = createReporters({ stream, colour: false }, ['github'], environment)
  return { progress, lines: () => written.join('').split('\n') }
}

test('percent, CR and LF are escaped in data, and colon and comma in properties too', () => {
  expect(escapeData('100%\r\na: b, c')).toBe('100%25%0D%0Aa: b, c')
  expect(escapeProperty('100%\r\na: b, c')).toBe('100%25%0D%0Aa%3A b%2C c')
})

test('each cause is an error at the file of its first scenario', () => {
  const lines = annotationsOf(sampleResult())
  const errors = lines.filter((line) => line.startsWith('::error '))
  expect(errors).toHaveLength(sampleResult().causes.length + sampleResult().complaints.length)
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^::error title=1 scenario fails%3A push\.evidence\.nonce-replayed 3\.0,file=scenarios\/push\/evidence\/nonce-replayed\.ts::VPUSH-REASON-BROKEN: failure_reason was expected .*%0Anpm start -- /,
    ),
  )
})

test('every annotation is one line', () => {
  for (const line of annotationsOf(sampleResult())) expect(line).toMatch(/^::[a-z]+ [^\r\n]+$/)
})

test('a run that passed has a notice with the verdict, and no error', () => {
  expect(annotationsOf(passed())).toEqual([
    expect.stringMatching(/^::notice title=Assay::conforms: registrar/),
  ])
})

test('checks that are missing are an error only if there is no verdict', () => {
  const run = passed()
  if (run.scope === undefined) throw new Error('the sample has no scope')
  const lacking = { ...run, scope: { ...run.scope, missing: ['no check of a quote'] } }
  expect(annotationsOf(lacking)).toHaveLength(1)
  expect(annotationsOf({ ...lacking, exit_code: 1 }).join('')).not.toContain('no check of a quote')
  expect(annotationsOf({ ...lacking, exit_code: 2 })[0]).toBe(
    '::error title=Assay::no check of a quote',
  )
})

test('a run without a verdict is an error, though no scenario failed', () => {
  expect(annotationsOf({ ...passed(), verdict: 'no verdict', exit_code: 2 })).toEqual([
    expect.stringMatching(/^::error title=Assay::no verdict: /),
  ])
})

test('no text of a subject is markup in the summary', () => {
  expect(markdown('<b> [x](y) `z` | a_b @c\nd')).toBe(
    '\\<b\\> \\[x\\]\\(y\\) \\`z\\` \\| a\\_b \\@c\\\\nd',
  )
  expect(summaryOf(sampleResult())).not.toMatch(/(?<!\\)</)
})

test('the summary has verdict, counts, complaints, causes and what is waived', () => {
  const text = summaryOf(sampleResult())
  expect(text).toContain('**does not conform**')
  expect(text).toContain('| all | 3 | 1 | 1 | 3 | 1 | 1 | 1 | 1 | 1 | 1 |')
  expect([...text.matchAll(/^### (.*)$/gm)].map(([, title]) => title)).toEqual([
    'Complaints',
    'Causes of failures',
    'Waived',
  ])
})

test('workflow commands are off until the annotations, which follow the console report', () => {
  const { progress, lines } = printed()
  progress.started(FACTS)
  progress.closing(sampleResult(), PATHS)
  const [first = ''] = lines()
  const token = /^::stop-commands::(.{36})$/.exec(first)?.[1]
  const end = lines().indexOf(`::${token}::`)
  expect(lines().slice(end + 1, -1)).toEqual(annotationsOf(sampleResult()))
  expect(lines().slice(1, end)).toContainEqual(expect.stringMatching(/^verdict /))
})

test('a run that ends without a result is an error', () => {
  const { progress, lines } = printed()
  progress.failed(new Error('the verifier\nis gone'))
  expect(lines().slice(1, -1)).toEqual(['::error title=Assay::no verdict: the verifier\\nis gone'])
})

test('the summary is appended to the file that GITHUB_STEP_SUMMARY names', () => {
  const home = mkdtempSync(join(tmpdir(), 'assay-github-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const path = join(home, 'summary.md')
  for (const _ of [1, 2]) printed(path).progress.closing(sampleResult(), PATHS)
  expect(readFileSync(path, 'utf8')).toBe(summaryOf(sampleResult()).repeat(2))
})

test('a summary that cannot be written is a warning', () => {
  const { progress, lines } = printed('/nowhere/summary.md')
  progress.closing(sampleResult(), PATHS)
  expect(lines().at(-2)).toMatch(/^::warning title=Assay::the file that GITHUB_STEP_SUMMARY names/)
})
