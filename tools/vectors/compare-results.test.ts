import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { junitFaults } from '../../conformance/report/testing/junit-schema.ts'
import { compareResults, presentComparison } from './compare-results.ts'
import { presentVectorsJunit } from './present-junit.ts'
import { composeResults, loadResults } from './results.ts'
import { runVectors } from './run-vectors.ts'
import { adapterThat, SMALL } from './testing/small-group.ts'

const groups = [SMALL]

async function resultsOf(acts: string) {
  return composeResults(acts, groups, await runVectors(adapterThat(acts), groups))
}

const lenient = await resultsOf(`console.log('{"valid":true}')`)
const strict = await resultsOf(
  `console.log(JSON.stringify({ valid: !line.includes('small-bad'), failures: [] }))`,
)

test('two adapters that answer alike have no difference', () => {
  expect(compareResults(strict, strict, groups)).toEqual([{ group: 'small', both: 3, differ: [] }])
})

test('a disagreement is shown with both answers and the bytes that the vector changes', () => {
  const shown = presentComparison(
    [lenient, strict],
    compareResults(lenient, strict, groups),
    groups,
  )
  expect(shown).toContain('small-bad: A valid, B invalid; expected invalid')
  expect(shown).toContain(`    A  {"valid":true}
    B  {"valid":false,"failures":[]}
    nonce: from byte 0 of 1
      baseline  0000  61
      vector    0000  62`)
  expect(shown).toMatch(/│ all +│ +3 │ +2 │ +1 │/)
})

test('a vector that one adapter does not judge is no disagreement', async () => {
  const none = await resultsOf(`console.log('{"skip":"nothing"}')`)
  expect(compareResults(none, strict, groups)).toEqual([])
})

test('results of different vectors are not compared', () => {
  const other = { ...strict, corpus_sha256: '0'.repeat(64) }
  expect(() => compareResults(strict, other, groups)).toThrow(/of different vectors/)
})

async function fileWith(text: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'assay-vectors-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'a.json'), text)
  return join(directory, 'a.json')
}

test('results are read as they were written', async () => {
  expect(await loadResults(await fileWith(JSON.stringify(strict)))).toEqual(strict)
})

test.each([
  ['{', /a\.json is not JSON$/],
  ['{}', /a\.json has not the published schema, at \/: /],
])('the file %s is refused with one sentence', async (text, sentence) => {
  await expect(loadResults(await fileWith(text))).rejects.toThrow(sentence)
})

test('a file that does not exist is refused with one sentence', async () => {
  await expect(loadResults('/nowhere/a.json')).rejects.toThrow(
    /^\/nowhere\/a\.json cannot be read \(ENOENT\)$/,
  )
})

test('in JUnit a group is a testsuite, and a vector that differs is a failure', () => {
  const xml = presentVectorsJunit(lenient, groups, '2026-01-01T00:00:00.000Z')
  expect(junitFaults(xml)).toEqual([])
  expect(xml).toContain('<testsuite name="small" tests="3" failures="1" errors="0" skipped="0"')
  expect(xml).toMatch(
    /<testcase classname="assay\.vectors\.small" name="small-bad: The nonce is another\." time="0\.000"><failure message="expected invalid, answered valid" type="valid">/,
  )
})
