import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../input/package-root.ts'
import { EXPECTED, startFive } from './outcomes/five-outcomes.ts'

const AS_VITEST: Readonly<Record<string, string>> = {
  pass: 'passed',
  fail: 'failed',
  blocked: 'failed',
  'not-applicable': 'skipped',
  'harness-fault': 'failed',
}

test('the runner gives five different outcomes', async () => {
  const results = await Promise.all(startFive())
  const outcomes = results.map(({ id, outcome }) => [id, outcome])
  expect(Object.fromEntries(outcomes)).toEqual(EXPECTED)
})

test('scenarios that did not start before the end of a run are skipped', async () => {
  const results = await Promise.all(startFive({ interrupted: AbortSignal.abort() }))
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['skipped']))
})

test('the vitest adapter gives the same five outcomes', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-five-'))
  const report = join(directory, 'report.json')
  await runVitest(['--reporter=json', `--outputFile=${report}`])
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as VitestReport
  const outcomes = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ title, status }) => [title, status]),
  )
  const expected = Object.entries(EXPECTED).map(([id, outcome]) => [id, AS_VITEST[outcome]])
  expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(expected))
  rmSync(directory, { recursive: true, force: true })
})

interface VitestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

function runVitest(argv: readonly string[]): Promise<void> {
  const program = join(packageRoot(), 'node_modules', 'vitest', 'vitest.mjs')
  const place = ['--root', join(packageRoot(), 'conformance', 'selftest', 'outcomes')]
  const words = [program, 'run', ...place, '--config', 'five.config.ts', ...argv]
  return new Promise((resolve) => {
    execFile(process.execPath, words, () => resolve())
  })
}
