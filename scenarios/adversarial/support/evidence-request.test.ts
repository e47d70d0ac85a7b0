import { expect, test } from 'vitest'
import {
  adversarialFileNames,
  inputsOf,
  loadAdversarialFile,
  writeOut,
} from '../../../conformance/catalogue/adversarial/evidence-file.ts'
import { evidenceRequest, travels } from './evidence-request.ts'

const LIST = { format: 'ascii', entries: 'MTAK', starting_offset: 0 }

test('a quote travels, with a list or without', () => {
  expect(travels({ quote: 'r::' })).toBe(true)
  expect(travels({ quote: null })).toBe(true)
  expect(travels({ quote: 'r::', ima: LIST })).toBe(true)
})

test.each([
  ['a push document', { push: {} }],
  ['an earlier cycle', { quote: 'r::', previous_clock: {} }],
  ['a binary list', { quote: 'r::', ima: { ...LIST, format: 'binary' } }],
  ['a list from an offset on', { quote: 'r::', ima: { ...LIST, starting_offset: 1 } }],
  ['a list that is no UTF-8', { quote: 'r::', ima: { ...LIST, entries: '/w==' } }],
])('verify/evidence has no place for %s', (_what, evidence) => {
  expect(travels(evidence)).toBe(false)
})

test('long texts are written out wherever they stand', () => {
  const long = { $concat: ['r', { $repeat: 'AB', count: 2 }, ':'] }
  expect(writeOut({ quote: long, list: [long] })).toEqual({ quote: 'rABAB:', list: ['rABAB:'] })
})

test('a JSON text may hold a key twice', () => {
  expect(writeOut({ $json: '{"10":"a","10":"b"}' })).toEqual({ 10: 'b' })
})

test('policies travel as texts, the key under its name', () => {
  const request = evidenceRequest({
    attestation_key: 'AA==',
    quote: 'r::',
    tpm_policy: { mask: '0x0' },
  })
  expect(request).toMatchObject({ tpm_ak: 'AA==', quote: 'r::', tpm_policy: '{"mask":"0x0"}' })
})

test('of the variants of quotes those that cannot travel are the few that are noted', () => {
  const kept = adversarialFileNames()
    .filter((name) => /^e[1-4]-/.test(name))
    .map(loadAdversarialFile)
    .flatMap((file) =>
      file.variants
        .filter((variant) => !inputsOf(file, variant).every(travels))
        .map((variant) => variant.case),
    )
  expect([...new Set(kept)]).toEqual([3, 20, 39, 40, 41, 43, 44])
})
