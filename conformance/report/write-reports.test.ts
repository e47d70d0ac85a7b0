import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tapOf } from './formats/tap.ts'
import { pageOf } from './html/page.ts'
import { jsonOf } from './json/write-json.ts'
import type { RunResult } from './result.ts'
import { sampleResult } from './testing/sample-result.ts'
import { sampleTranscripts } from './testing/sample-scenarios.ts'
import { packTranscripts } from './transcripts/write-transcripts.ts'
import { writeAtomically } from './write-atomically.ts'
import { junitOf } from './write-junit.ts'
import { writeReports } from './write-reports.ts'

const EXAMPLE = new URL('../../reports/example/', import.meta.url)

let home = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'assay-report-'))
})

afterAll(() => rm(home, { recursive: true, force: true }))

test('five files are written, and no temporary file is left', async () => {
  const paths = await writeReports(sampleResult(), sampleTranscripts(), join(home, 'new', 'out'))
  expect(await readdir(join(home, 'new', 'out'))).toEqual([
    'junit.xml',
    'report.html',
    'result.json',
    'tpm-states.jsonl.gz',
    'transcripts.jsonl.gz',
  ])
  expect(await readFile(paths[1] ?? '', 'utf8')).toBe(jsonOf(sampleResult()))
})

test('--format sarif and tap add one file each', async () => {
  const out = join(home, 'more')
  const formats = ['tap', 'github', 'sarif']
  const [, , , , ...more] = await writeReports(sampleResult(), sampleTranscripts(), out, formats)
  expect(more).toEqual([join(out, 'result.sarif'), join(out, 'result.tap')])
  expect(await readFile(join(out, 'result.tap'), 'utf8')).toBe(tapOf(sampleResult()))
})

test('--format allure writes a directory, without the results of an earlier run', async () => {
  const out = join(home, 'allure-too')
  const all = await writeReports(sampleResult(), sampleTranscripts(), out, ['allure'])
  expect(all.at(-1)).toBe(join(out, 'allure'))
  await writeFile(join(out, 'allure', 'categories.json'), '[]')
  const one = sampleResult(sampleResult().scenarios.slice(0, 1))
  await writeReports(one, sampleTranscripts(), out, ['allure'])
  const names = await readdir(join(out, 'allure'))
  expect(names.filter((name) => name.endsWith('-result.json'))).toHaveLength(1)
  expect(names).toContain('categories.json')
})

test('an old report is replaced completely', async () => {
  const path = join(home, 'twice.txt')
  await writeAtomically(path, 'a long first text')
  await writeAtomically(path, 'second')
  expect(await readFile(path, 'utf8')).toBe('second')
})

test('a report that cannot be written is named on standard error, and the others are written', async () => {
  const out = join(home, 'one-taken')
  await mkdir(join(out, 'junit.xml'), { recursive: true })
  const said: string[] = []
  const complaints = { write: (text: string) => said.push(text) }
  const paths = await writeReports(sampleResult(), sampleTranscripts(), out, [], complaints)
  expect(said).toEqual([`assay: cannot write ${out}/junit.xml: illegal operation on a directory\n`])
  expect(paths.map((path) => basename(path))).toEqual([
    'report.html',
    'result.json',
    'transcripts.jsonl.gz',
  ])
})

test.each(['a.json', 'out/a.json'])('%s below a file gives one sentence', async (name) => {
  const file = join(home, 'file')
  await writeFile(file, '')
  await expect(writeAtomically(join(file, name), '')).rejects.toMatchObject({
    sentence: `cannot write ${file}/${name}: not a directory`,
    next: 'free disk space, or name another directory',
  })
})

test('a failed write leaves the old report and no temporary file', async () => {
  await writeAtomically(join(home, 'taken', 'inside'), 'x')
  await expect(writeAtomically(join(home, 'taken'), 'y')).rejects.toThrow(
    'illegal operation on a directory',
  )
  expect((await readdir(home)).filter((name) => name.endsWith('.part'))).toEqual([])
})

test.each([
  ['report.html', (result: RunResult) => pageOf(result, sampleTranscripts())],
  ['result.json', jsonOf],
  ['junit.xml', junitOf],
])('the example %s is up to date', async (name, present) => {
  expect(await readFile(new URL(name, EXAMPLE), 'utf8')).toBe(present(sampleResult()))
})

test('the example transcripts.jsonl.gz is up to date', async () => {
  const packed = await readFile(new URL('transcripts.jsonl.gz', EXAMPLE))
  expect(gunzipSync(packed)).toEqual(gunzipSync(await packTranscripts(sampleTranscripts())))
})
