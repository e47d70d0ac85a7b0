import { expect, test } from 'vitest'
import { DIALECTS } from '../dialects/dialect.ts'
import { writeSubjectData } from './agents/subject-data.ts'
import { inDocumentForm } from './document-form.ts'

const { document, keylime } = DIALECTS
const VALUES = { 9: 'ab'.repeat(32), 10: 'cd'.repeat(32) }
const BLOB = writeSubjectData(VALUES, 'sha256', keylime)

const bring = (data: unknown) => inDocumentForm({ data: [data] }, keylime)

test('a reply in the document dialect is unchanged', () => {
  const body = { selected_subjects: { sha256: [10] }, subject_data: BLOB }
  expect(inDocumentForm(body, document)).toEqual(body)
})

test('an object from bank to subjects becomes a list', () => {
  const selected_subjects = { sha1: null, sha256: [0, 10] }
  expect(bring({ selected_subjects })).toEqual({ data: [{ selected_subjects: [0, 10] }] })
})

test('subjects of several banks become one list without duplicates', () => {
  const available_subjects = { sha1: [10, 0], sha256: [0, 9] }
  expect(bring({ available_subjects })).toEqual({ data: [{ available_subjects: [0, 9, 10] }] })
})

test('a PCR blob becomes an object of PCR values', () => {
  expect(bring({ subject_data: BLOB })).toEqual({ data: [{ subject_data: VALUES }] })
})

test.each([
  ['a truncated blob', { subject_data: String(BLOB).slice(0, 40) }],
  ['a blob with trailing bytes', { subject_data: `${BLOB}`.replace(/=*$/, 'AAAA') }],
  ['a string that is not a blob', { subject_data: 'none' }],
  ['a bank that is not a list', { selected_subjects: { sha256: 10 } }],
  ['null', { selected_subjects: null }],
])('%s is unchanged', (_what, data) => {
  expect(bring(data)).toEqual({ data: [data] })
})
