import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sampleResult } from '../sample-result.ts'
import { layOutTranscripts } from './deferred.ts'
import { textOf } from './escape.ts'
import { transcriptOf } from './transcript.ts'

const { scenarios } = sampleResult()
const passing = scenarios.filter(({ outcome }) => outcome === 'pass')

test('a small run has every transcript in the page as it is', () => {
  const { of, pieces } = layOutTranscripts(scenarios)
  expect(textOf(pieces)).toBe('')
  for (const one of scenarios) expect(textOf(of(one))).toBe(textOf(transcriptOf(one)))
})

test('in a large run those of passing scenarios lie compressed, whole, and each once', () => {
  const { of, pieces } = layOutTranscripts(scenarios, 100)
  const unfolded = [...textOf(pieces).matchAll(/id="piece-(\d+)">([^<]*)</g)].map(
    ([, at, base64 = '']) =>
      [at, JSON.parse(gunzipSync(Buffer.from(base64, 'base64')).toString())] as const,
  )
  for (const one of passing) {
    const [, piece, key = ''] = /data-piece="(\d+)" data-key="([^"]*)"/.exec(textOf(of(one))) ?? []
    const found = unfolded.filter(([at]) => at === piece).map(([, byKey]) => byKey[key])
    expect(found).toEqual([textOf(transcriptOf(one))])
  }
})

test('what did not pass is in the page in a large run too', () => {
  const { of } = layOutTranscripts(scenarios, 100)
  const others = scenarios.filter(({ outcome }) => outcome !== 'pass')
  expect(others.length).toBeGreaterThan(0)
  for (const one of others) expect(textOf(of(one))).toBe(textOf(transcriptOf(one)))
})
