import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageOf } from '../../conformance/report/html/page.ts'
import { largeRun } from '../../conformance/report/testing/large-run.ts'
import { sampleResult } from '../../conformance/report/testing/sample-result.ts'
import { sampleTranscripts } from '../../conformance/report/testing/sample-scenarios.ts'
import { look, VIEWS } from './look.ts'

const chromium = existsSync('/usr/bin/chromium')

const some = (...names: readonly string[]) => VIEWS.filter(({ name }) => names.includes(name))

let home = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'assay-look-'))
})

afterAll(() => rm(home, { recursive: true, force: true }))

test.each([
  ['none.html', undefined, 'no such file'],
  ['result.json', '{}', 'is no HTML page'],
])('%s is refused in one sentence, with the next step', async (name, text, says) => {
  const file = join(home, name)
  if (text !== undefined) await writeFile(file, text)
  await expect(look(file, home)).rejects.toMatchObject({
    sentence: expect.stringContaining(says),
    next: 'give the report.html that assay run wrote',
  })
})

test.skipIf(!chromium)(
  'the report asks nothing of the network, runs no script of the subject and fits a phone',
  async () => {
    const report = join(home, 'report.html')
    await writeFile(report, pageOf(sampleResult(), sampleTranscripts()))
    const seen = await look(report, join(home, 'out'), some('failing', 'phone', 'without-script'))
    expect(seen.problems).toEqual([])
    const [first = ''] = seen.screenshots
    expect((await readFile(first)).subarray(1, 4).toString()).toBe('PNG')
  },
  60_000,
)

test.skipIf(!chromium)(
  'a report without a failure has no picture of one',
  async () => {
    const report = join(home, 'green.html')
    const { scenarios, ...rest } = sampleResult()
    const green = scenarios.filter(({ outcome }) => outcome === 'pass')
    await writeFile(report, pageOf({ ...rest, scenarios: green }, sampleTranscripts()))
    const { screenshots } = await look(report, join(home, 'green'), some('passing', 'failing'))
    expect(screenshots).toEqual([join(home, 'green', 'passing.png')])
  },
  60_000,
)

test.skipIf(!chromium)(
  'in a large report the scenarios that are looked at are compressed, or in a family that is closed',
  async () => {
    const report = join(home, 'large.html')
    const { result, transcripts } = largeRun({ passed: 400, failed: 20, body: 100 })
    const scenarios = result.scenarios.map((one) => ({ ...one, id: `area.family.${one.id}` }))
    await writeFile(report, pageOf({ ...result, scenarios }, transcripts))
    const names = ['passing', 'failing', 'without-script']
    const seen = await look(report, join(home, 'large'), some(...names))
    expect(seen).toEqual({
      screenshots: names.map((name) => join(home, 'large', `${name}.png`)),
      problems: [],
    })
  },
  60_000,
)

test.skipIf(!chromium)(
  'a page that asks for a picture from elsewhere is complained of',
  async () => {
    const report = join(home, 'leaky.html')
    await writeFile(report, '<img src="http://127.0.0.1:9/x.png">')
    const seen = await look(report, join(home, 'leaky'), some('page'))
    expect(seen.problems).toContain('page: the report requested http://127.0.0.1:9/x.png')
  },
  60_000,
)
