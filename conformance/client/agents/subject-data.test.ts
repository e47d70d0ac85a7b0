import { expect, test } from 'vitest'
import { parsePcrBlob } from '../../../simulator/tpm/pcr-blob.ts'
import { toHex } from '../../../simulator/tpm/write.ts'
import { PrerequisiteFailed } from '../../attempt/endings.ts'
import { DIALECTS } from '../../dialects/dialect.ts'
import { unbase64 } from '../bytes.ts'
import { alterPcr, quotedPcrs, readSelectedPcrs, writeSubjectData } from './subject-data.ts'

const { document, keylime } = DIALECTS
const VALUES = { 9: 'ab'.repeat(32), 10: '0c'.repeat(32) }

const blobOf = (values: typeof VALUES) => {
  const { selections, ...blob } = parsePcrBlob(
    unbase64(String(writeSubjectData(values, 'sha256', keylime))),
  )
  return { pcrs: selections.map(({ pcrs }) => pcrs), values: blob.values.map(toHex) }
}

test('the document has PCR values as an object', () => {
  expect(writeSubjectData(VALUES, 'sha256', document)).toEqual(VALUES)
})

test('keylime has the same values as the blob of one bank', () => {
  expect(blobOf(VALUES)).toEqual({ pcrs: [[9, 10]], values: [VALUES[9], VALUES[10]] })
})

test('an altered PCR is altered inside the blob, and no other', () => {
  const altered = alterPcr(10)(VALUES) as typeof VALUES
  expect(blobOf(altered)).toEqual({
    pcrs: [[9, 10]],
    values: [VALUES[9], `1${VALUES[10].slice(1)}`],
  })
})

test('a PCR that was not asked for cannot be altered', () => {
  expect(() => alterPcr(11)(VALUES)).toThrow(PrerequisiteFailed)
})

test('each dialect reads the selection in the form that it asked in', () => {
  expect(readSelectedPcrs([0, 10], 'sha256', document)).toEqual([0, 10])
  expect(readSelectedPcrs({ sha1: null, sha256: [0, 10] }, 'sha256', keylime)).toEqual([0, 10])
})

test.each([
  ['an object', { sha256: [10] }, document],
  ['a list', [10], keylime],
  ['an unused bank', { sha256: null }, keylime],
  ['a bank that is not there', {}, keylime],
  ['numbers as texts', ['10'], document],
  ['nothing', undefined, document],
])('%s where the other form was asked in is no selection', (_what, subjects, dialect) => {
  expect(() => readSelectedPcrs(subjects, 'sha256', dialect)).toThrow('selected_subjects is not')
})

test('keylime quotes PCR 16 besides what was selected', () => {
  expect(quotedPcrs([10, 0], document)).toEqual([0, 10])
  expect(quotedPcrs([10, 16, 0], keylime)).toEqual([0, 10, 16])
})
