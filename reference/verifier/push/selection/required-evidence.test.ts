import { expect, test } from 'vitest'
import { policyRow } from '../../../dev/testing/storage/rows.ts'
import { BOOT_PCRS } from '../../../evidence/uefi/boot-pcrs.ts'
import { requiredEvidence } from './required-evidence.ts'

const NONE = { tpm_policy: '{}' }

test('without policies nothing is required', () => {
  expect(requiredEvidence(NONE, undefined, null)).toEqual({
    pcrs: [],
    imaLog: false,
    uefiLog: false,
  })
})

test('the PCRs of tpm_policy and of its mask are required, in order and once', () => {
  const digest = '00'.repeat(32)
  const tpm_policy = JSON.stringify({ 16: [digest], 2: [digest], mask: '0x10004' })
  expect(requiredEvidence({ tpm_policy }, undefined, null).pcrs).toEqual([2, 16])
})

test('a runtime policy requires PCR 10 and the list', () => {
  expect(requiredEvidence(NONE, policyRow('p'), null)).toEqual({
    pcrs: [10],
    imaLog: true,
    uefiLog: false,
  })
})

test('a boot policy requires the boot PCRs and the boot log', () => {
  expect(requiredEvidence(NONE, undefined, '{"a":1}')).toEqual({
    pcrs: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15],
    imaLog: false,
    uefiLog: true,
  })
})

test('a boot log does not cover PCR 10', () => {
  expect(BOOT_PCRS).not.toContain(10)
})
