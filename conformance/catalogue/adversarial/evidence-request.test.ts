import { expect, test } from 'vitest'
import { adversarialFileNames, inputsOf, loadAdversarialFile, writeOut } from './evidence-file.ts'
import { evidenceRequest, travels } from './evidence-request.ts'

const LIST = { format: 'ascii', entries: 'MTAK', starting_offset: 0 }

test('a quote can be sent with or without a list', () => {
  expect(travels({ quote: 'r::' })).toBe(true)
  expect(travels({ quote: null })).toBe(true)
  expect(travels({ quote: 'r::', ima: LIST })).toBe(true)
})

test.each([
  ['a push document', { push: {} }],
  ['an earlier cycle', { quote: 'r::', previous_clock: {} }],
  ['a binary list', { quote: 'r::', ima: { ...LIST, format: 'binary' } }],
  ['a list from an offset', { quote: 'r::', ima: { ...LIST, starting_offset: 1 } }],
  ['a list that is not UTF-8', { quote: 'r::', ima: { ...LIST, entries: '/w==' } }],
])('verify/evidence has no place for %s', (_what, evidence) => {
  expect(travels(evidence)).toBe(false)
})

test('long texts are expanded at any depth', () => {
  const long = { $concat: ['r', { $repeat: 'AB', count: 2 }, ':'] }
  expect(writeOut({ quote: long, list: [long] })).toEqual({ quote: 'rABAB:', list: ['rABAB:'] })
})

test('a JSON text may hold a key twice', () => {
  expect(writeOut({ $json: '{"10":"a","10":"b"}' })).toEqual({ 10: 'b' })
})

test('policies are sent as texts, the key under its name', () => {
  const request = evidenceRequest({
    attestation_key: 'AA==',
    quote: 'r::',
    tpm_policy: { mask: '0x0' },
  })
  expect(request).toMatchObject({ tpm_ak: 'AA==', quote: 'r::', tpm_policy: '{"mask":"0x0"}' })
})

test('only the listed quote variants cannot be sent', () => {
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
