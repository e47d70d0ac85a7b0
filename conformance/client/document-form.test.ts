import { expect, test } from 'vitest'
import { DIALECTS } from '../dialects/dialect.ts'
import { writeSubjectData } from './agents/subject-data.ts'
import { inDocumentForm } from './document-form.ts'

const { document, keylime } = DIALECTS
const VALUES = { 9: 'ab'.repeat(32), 10: 'cd'.repeat(32) }
const BLOB = writeSubjectData(VALUES, 'sha256', keylime)

const bring = (data: unknown) => inDocumentForm({ data: [data] }, keylime)

test('the document needs no bringing back', () => {
  const body = { selected_subjects: { sha256: [10] }, subject_data: BLOB }
  expect(inDocumentForm(body, document)).toEqual(body)
})

test('subjects by bank become a list', () => {
  const selected_subjects = { sha1: null, sha256: [0, 10] }
  expect(bring({ selected_subjects })).toEqual({ data: [{ selected_subjects: [0, 10] }] })
})

test('subjects of several banks become one list without repetition', () => {
  const available_subjects = { sha1: [10, 0], sha256: [0, 9] }
  expect(bring({ available_subjects })).toEqual({ data: [{ available_subjects: [0, 9, 10] }] })
})

test('a blob becomes an object of PCR values', () => {
  expect(bring({ subject_data: BLOB })).toEqual({ data: [{ subject_data: VALUES }] })
})

test.each([
  ['a blob that is cut', { subject_data: String(BLOB).slice(0, 40) }],
  ['a blob with bytes left over', { subject_data: `${BLOB}`.replace(/=*$/, 'AAAA') }],
  ['a text that is no blob', { subject_data: 'none' }],
  ['banks that are no lists', { selected_subjects: { sha256: 10 } }],
  ['null', { selected_subjects: null }],
])('%s is left as it came', (_what, data) => {
  expect(bring(data)).toEqual({ data: [data] })
})
