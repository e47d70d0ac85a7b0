import { expect, test } from 'vitest'
import { sampleResult } from '../testing/sample-result.ts'
import { sampleTranscripts } from '../testing/sample-scenarios.ts'
import { pageOf } from './page.ts'

const result = sampleResult()
const page = pageOf(result, sampleTranscripts())
const overview = page.slice(page.indexOf('id="overview"'), page.indexOf('id="attention"'))

test('a cell has the number of runs with the worst outcome of its area and version', () => {
  const cells = [...overview.matchAll(/data-words="([^"]*)\. ([^"]*)" data-outcome="([^"]*)"/g)]
  for (const [, area, version, outcome] of cells) {
    const runs = result.scenarios.filter(
      (one) => one.id.startsWith(`${area}.`) && one.version === version,
    )
    expect(runs.some((one) => one.outcome === outcome)).toBe(true)
    if (outcome !== 'fail') expect(runs.some((one) => one.outcome === 'fail')).toBe(false)
  }
  expect(cells.map(([, , , outcome]) => outcome)).toContain('fail')
})

test('areas with failures come first', () => {
  const rows = overview.split('<tr>').slice(2)
  const fails = rows.map((row) => row.includes('data-outcome="fail"'))
  expect(fails).toEqual(fails.toSorted((one, other) => Number(other) - Number(one)))
})

test('each cited line of the document has one square, with its worst result', () => {
  const cited = new Set(result.requirements.flatMap(({ lines }) => lines))
  const titles = [...overview.matchAll(/<title>Line (\d+): ([^<]*)<\/title>/g)]
  expect(new Set(titles.map(([, line]) => Number(line)))).toEqual(cited)
  expect(titles).toHaveLength(cited.size)
  expect(titles.map(([, , text = '']) => text.split(', ').at(-1))).toContain('fail')
})
