import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonOf } from '../report/json/write-json.ts'
import type { RunResult } from '../report/result.ts'
import { sampleResult } from '../report/testing/sample-result.ts'
import { sampleTranscripts } from '../report/testing/sample-scenarios.ts'
import { reportMain } from './report-main.ts'

let home = ''

const olderStrength = <T extends { readonly strength?: string }>(row: T) =>
  row.strength === 'either' ? { ...row, strength: 'two-readings' } : row

/** The result in the first format: with transcripts and complete values. */
const firstFormatOf = ({ causes, scope, certification, ...run }: RunResult) => ({
  ...run,
  certification: { possible: certification.possible, because: certification.because },
  schema: 'assay.result/1',
  requirements: run.requirements.map(({ readings, ...row }) => olderStrength(row)),
  scenarios: run.scenarios.map(({ failed_at, failed_step, blocked_by, source, ...scenario }) => ({
    ...scenario,
    checks: scenario.checks.map(({ reading, ...check }) => olderStrength(check)),
    transcript: sampleTranscripts().of(scenario),
  })),
})

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'assay-diff-'))
  const run = sampleResult()
  const [wire] = run.scenarios
  const [firstScenario] = firstFormatOf(run).scenarios
  const files: Readonly<Record<string, string>> = {
    'a.json': jsonOf(run),
    'fewer.json': jsonOf({ ...run, scenarios: run.scenarios.slice(1) }),
    'text.json': 'no json',
    'old.json': jsonOf(run).replace('"assay.result/2"', '"assay.result/0"'),
    'first.json': JSON.stringify(firstFormatOf(run)),
    'extra.json': JSON.stringify({ ...run, target: { ...run.target, colour: 'red' } }),
    'outcome.json': JSON.stringify({ ...run, scenarios: [{ ...wire, outcome: 'harness-error' }] }),
    'entry.json': JSON.stringify({
      ...firstFormatOf(run),
      ...{ scenarios: [{ ...firstScenario, transcript: [{ lane: 'tpm' }] }] },
    }),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text)
})

afterAll(() => rm(home, { recursive: true, force: true }))

const diff = async (before: string, after: string, ...options: readonly string[]) => {
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text) }
  const argv = ['diff', join(home, before), join(home, after), ...options]
  const code = await reportMain(argv, stream)
  return { code, text: written.join('') }
}

test('equal runs give exit code 0 and one line', async () => {
  const { code, text } = await diff('a.json', 'a.json')
  expect(code).toBe(0)
  expect(text).toMatch(/^no difference in [^\n]*\n$/)
})

test('a worse run gives exit code 1, a better one 0', async () => {
  expect(await diff('a.json', 'fewer.json')).toMatchObject({ code: 1 })
  expect(await diff('fewer.json', 'a.json')).toMatchObject({ code: 0 })
})

test('a result of the first format is compared with one of the second', async () => {
  expect(await diff('first.json', 'a.json')).toMatchObject({ code: 0 })
  expect((await diff('first.json', 'a.json')).text).toMatch(/^no difference in [^\n]*\n$/)
  expect(await diff('first.json', 'fewer.json')).toMatchObject({ code: 1 })
})

test('the differences as JSON', async () => {
  const { code, text } = await diff('a.json', 'fewer.json', '--json')
  expect(code).toBe(1)
  expect(JSON.parse(text)).toMatchObject({ schema: 'assay.diff/1', worse: true })
})

test.each([
  ['absent.json', 'cannot be read: no such file or directory'],
  ['text.json', 'is not a result of this version of Assay: it is not JSON'],
  ['old.json', 'at /schema: it must be equal to constant: assay.result/2'],
  ['extra.json', 'at /target: it must NOT have additional properties: colour'],
  ['outcome.json', 'at /scenarios/0/outcome: it must be equal to one of the allowed values: pass,'],
  ['entry.json', 'at /scenarios/0/transcript/0: it must match exactly one schema in oneOf'],
])('%s is refused with one sentence that names the file and the position', async (name, why) => {
  const sentence: unknown = expect.stringContaining(`${join(home, name)} `)
  await expect(diff('a.json', name)).rejects.toMatchObject({ name: 'SetupFault', sentence })
  await expect(diff(name, 'a.json')).rejects.toThrow(why)
})

test.each([[[]], [['join']], [['diff', 'one.json']], [['diff', 'a', 'b', '--xml']]])(
  'the arguments %j are refused with the next step',
  async (argv) => {
    await expect(reportMain(argv)).rejects.toMatchObject({
      name: 'SetupFault',
      next: expect.stringMatching(/assay report (?:diff )?--help/),
    })
  },
)

test('the help of report names its subcommands', async () => {
  const written: string[] = []
  expect(await reportMain(['--help'], { write: (text: string) => written.push(text) })).toBe(0)
  expect(written.join('')).toMatch(/diff BEFORE AFTER[\s\S]*show ID/)
})
