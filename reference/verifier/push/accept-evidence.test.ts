import { expect, test } from 'vitest'
import { refusalOf } from '../../dev/testing/refusal-of.ts'
import { pcr, quoteData } from '../../dev/testing/verifier/push-requests.ts'
import { acceptEvidence } from './accept-evidence.ts'
import type { EvidenceItem } from './selection/evidence-item.ts'

const QUOTE = {
  evidence_class: 'certification',
  evidence_type: 'tpm_quote',
  capabilities: {},
  chosen_parameters: { hash_algorithm: 'sha256' },
} as unknown as EvidenceItem

function log(format: string): EvidenceItem {
  return {
    evidence_class: 'log',
    evidence_type: 'ima_log',
    capabilities: {},
    chosen_parameters: { starting_offset: 0, entry_count: 1, format },
  }
}

const REQUESTED = [QUOTE, log('application/octet-stream')]
const AT = '/data/attributes/evidence_collected'
const QUOTE_DATA = quoteData('AAAA')

function quote(change: object = {}) {
  const data = { ...QUOTE_DATA, ...change }
  return { evidence_class: 'certification', evidence_type: 'tpm_quote', data }
}

function list(data: Record<string, unknown> = { entry_count: 1, entries: 'AAAA' }) {
  return { evidence_class: 'log', evidence_type: 'ima_log', data }
}

test('evidence as it was requested is laid on the request', () => {
  const items = acceptEvidence(REQUESTED, [quote(), list()])
  expect(items.map(({ chosen_parameters }) => chosen_parameters)).toEqual(
    REQUESTED.map(({ chosen_parameters }) => chosen_parameters),
  )
  expect(items.map(({ data }) => data)).toEqual([QUOTE_DATA, { entry_count: 1, entries: 'AAAA' }])
})

test('members that were not requested are not stored', () => {
  const items = acceptEvidence(REQUESTED, [quote({ meta: 1 }), list({ entries: '', meta: 1 })])
  expect(items.map(({ data }) => data)).toEqual([QUOTE_DATA, { entries: '' }])
})

test.each<[string, unknown[], string, RegExp]>([
  ['an item too few', [quote()], AT, /^2 items were requested, 1 came$/],
  ['an item too many', [quote(), list(), list()], AT, /^2 items were requested, 3 came$/],
  [
    'another order',
    [list(), quote()],
    `${AT}/0`,
    /^item 0 was requested as certification\/tpm_quote$/,
  ],
  ['an item twice', [quote(), quote()], `${AT}/1`, /^item 1 was requested as log\/ima_log$/],
  [
    'another type',
    [quote(), { ...list(), evidence_type: 'uefi_log' }],
    `${AT}/1`,
    /^item 1 was requested/,
  ],
  [
    'another class',
    [{ ...quote(), evidence_class: 'log' }, list()],
    `${AT}/0`,
    /^item 0 was requested/,
  ],
  [
    'a message that is not base64',
    [quote({ message: 'A' }), list()],
    `${AT}/0/data/message`,
    /^message at byte 1/,
  ],
  [
    'a signature in the URL alphabet',
    [quote({ signature: 'A-_A' }), list()],
    `${AT}/0/data/signature`,
    /^signature at byte 1/,
  ],
  [
    'no message',
    [quote({ message: undefined }), list()],
    `${AT}/0/data/message`,
    /must be string|is missing/,
  ],
  [
    'values of PCR 24',
    [quote({ subject_data: { 24: pcr(0) } }), list()],
    `${AT}/0/data/subject_data`,
    /0 to 23/,
  ],
  [
    'values of another bank',
    [quote({ subject_data: { 0: '00'.repeat(20) } }), list()],
    `${AT}/0/data/subject_data`,
    /expected 32 bytes/,
  ],
  [
    'two spellings of a PCR',
    [quote({ subject_data: { 0: pcr(0), '00': pcr(0) } }), list()],
    `${AT}/0/data/subject_data`,
    /"00"/,
  ],
  [
    'a prototype name for a PCR',
    [quote({ subject_data: JSON.parse('{"__proto__":"00"}') }), list()],
    `${AT}/0/data/subject_data`,
    /__proto__/,
  ],
  [
    'no values at all',
    [quote({ subject_data: {} }), list()],
    `${AT}/0/data/subject_data`,
    /no PCR value/,
  ],
  [
    'an invalid blob',
    [quote({ subject_data: 'AAAA' }), list()],
    `${AT}/0/data/subject_data`,
    /at byte/,
  ],
  [
    'a value that is no text',
    [quote({ subject_data: { 0: 7 } }), list()],
    `${AT}/0/data/subject_data`,
    /must be string/,
  ],
  [
    'entries that are not base64',
    [quote(), list({ entries: 'A B' })],
    `${AT}/1/data/entries`,
    /^entries at byte 1/,
  ],
  ['no entries', [quote(), list({})], `${AT}/1/data/entries`, /is missing/],
  ['entries as list', [quote(), list({ entries: [] })], `${AT}/1/data/entries`, /must be string/],
  [
    'a negative count',
    [quote(), list({ entries: '', entry_count: -1 })],
    `${AT}/1/data/entry_count`,
    /must be/,
  ],
])('%s is refused at its place', async (_, collected, pointer, message) => {
  const refusal = await refusalOf(() => acceptEvidence(REQUESTED, collected as never))
  expect(refusal).toMatchObject({ code: 'invalid_resource_data', status: 422, pointer })
  expect(refusal.message).toMatch(message)
})

test('text entries are taken as they are', () => {
  const entries = '10 0000 ima-ng sha256:00 /a b\n'
  const [item] = acceptEvidence([log('text/plain')], [list({ entries })])
  expect(item?.data).toEqual({ entries })
})
