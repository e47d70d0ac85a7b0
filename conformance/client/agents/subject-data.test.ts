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

test('PCR values are an object in the document', () => {
  expect(writeSubjectData(VALUES, 'sha256', document)).toEqual(VALUES)
})

test('PCR values are the blob of one bank in keylime', () => {
  expect(blobOf(VALUES)).toEqual({ pcrs: [[9, 10]], values: [VALUES[9], VALUES[10]] })
})

test('alterPcr changes only the lowest PCR in the blob', () => {
  const altered = alterPcr(VALUES) as typeof VALUES
  expect(blobOf(altered)).toEqual({
    pcrs: [[9, 10]],
    values: [`0${VALUES[9].slice(1)}`, VALUES[10]],
  })
})

test('alterPcr throws if no PCR was requested', () => {
  expect(() => alterPcr({})).toThrow(PrerequisiteFailed)
})

test('each dialect reads the selection in the form that it requested', () => {
  expect(readSelectedPcrs([0, 10], 'sha256', document)).toEqual([0, 10])
  expect(readSelectedPcrs({ sha1: null, sha256: [0, 10] }, 'sha256', keylime)).toEqual([0, 10])
})

test.each([
  ['an object', { sha256: [10] }, document],
  ['a list', [10], keylime],
  ['a null bank', { sha256: null }, keylime],
  ['a missing bank', {}, keylime],
  ['a list of strings', ['10'], document],
  ['nothing', undefined, document],
])('%s is not a selection in the requested form', (_what, subjects, dialect) => {
  expect(() => readSelectedPcrs(subjects, 'sha256', dialect)).toThrow(
    'ATT-QUOTE-SELECTED-SUBJECTS-TYPE: `selected_subjects` was expected to give',
  )
})

test('keylime quotes PCR 16 in addition to the selected PCRs', () => {
  expect(quotedPcrs([10, 0], document)).toEqual([0, 10])
  expect(quotedPcrs([10, 16, 0], keylime)).toEqual([0, 10, 16])
})
