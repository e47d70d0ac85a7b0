import { expect, test } from 'vitest'
import { refusalOf } from '../../../dev/testing/refusal-of.ts'
import { AK, logOffer, quoteOffer } from '../../../dev/testing/verifier/push-requests.ts'
import type { EvidenceOffer } from '../../shapes/attestation-shape.ts'
import { quoteRules } from './quote-rules.ts'
import { type SelectionRequest, selectEvidence } from './select-evidence.ts'

const OFFERS = [logOffer('ima_log'), quoteOffer(), logOffer('uefi_log')] as EvidenceOffer[]

function request(change: Partial<SelectionRequest> = {}): SelectionRequest {
  return {
    offers: OFFERS,
    required: { pcrs: [0], imaLog: true, uefiLog: true },
    wishes: {
      pcrs: [0],
      acceptedHashes: ['sha256'],
      acceptedSchemes: ['ecdsa'],
      keyAlgorithm: 'ecc',
      attestationKey: AK,
    },
    certified: undefined,
    challenge: 'CHALLENGE',
    rules: quoteRules,
    ...change,
  }
}

function types(change: Partial<SelectionRequest> = {}): readonly string[] {
  return selectEvidence(request(change)).map(({ evidence_type }) => evidence_type)
}

test('quote, boot log and list are requested in this order, for any order of the offers', () => {
  expect(types()).toEqual(['tpm_quote', 'uefi_log', 'ima_log'])
})

test.each([
  [{ imaLog: false, uefiLog: false }, ['tpm_quote']],
  [{ imaLog: true, uefiLog: false }, ['tpm_quote', 'ima_log']],
  [{ imaLog: false, uefiLog: true }, ['tpm_quote', 'uefi_log']],
])('%o: what no policy needs is not asked for', (logs, expected) => {
  expect(types({ required: { pcrs: [0], ...logs } })).toEqual(expected)
})

test.each(['tpm_quote', 'uefi_log', 'ima_log'])(
  'an offer without the %s that is needed is refused',
  async (type) => {
    const offers = OFFERS.filter(({ evidence_type }) => evidence_type !== type)
    expect(await refusalOf(() => types({ offers }))).toMatchObject({
      status: 422,
      message: `evidence_supported: the policies of this agent need a ${type}`,
      pointer: '/data/attributes/evidence_supported',
    })
  },
)

const CERTIFIED = { entries: 5, lines: 7, values: {} }

function imaParameters(capabilities: object, certified: SelectionRequest['certified'] = undefined) {
  const offers = [quoteOffer(), logOffer('ima_log', { ...capabilities })] as EvidenceOffer[]
  const required = { pcrs: [0], imaLog: true, uefiLog: false }
  return selectEvidence(request({ offers, required, certified }))[1]?.chosen_parameters
}

test.each([
  [['text/plain', 'application/octet-stream'], 'application/octet-stream'],
  [['text/plain'], 'text/plain'],
  [undefined, 'application/octet-stream'],
])('of the formats %o %s is chosen', (formats, format) => {
  expect(imaParameters(formats === undefined ? {} : { formats })).toMatchObject({ format })
})

test('a list in no format that is read here is refused', async () => {
  const refusal = await refusalOf(() => imaParameters({ formats: ['application/cbor'] }))
  expect(refusal.message).toMatch(/^ima_log: none of the formats/)
})

test('a boot log is asked for whole, in binary', () => {
  const [, boot] = selectEvidence(request({ certified: CERTIFIED }))
  expect(boot?.chosen_parameters).toEqual({
    starting_offset: 0,
    entry_count: 20,
    format: 'application/octet-stream',
  })
})

test('entries that were certified before are not asked for again', () => {
  expect(imaParameters({ entry_count: 20 }, CERTIFIED)).toMatchObject({
    starting_offset: 5,
    entry_count: 15,
  })
})

test('without partial access the whole list is asked for', () => {
  const whole = { entry_count: 20, supports_partial_access: false }
  expect(imaParameters(whole, CERTIFIED)).toMatchObject({ starting_offset: 0, entry_count: 20 })
})

test('a list shorter than the certified one is refused, one as long is accepted', async () => {
  expect((await refusalOf(() => imaParameters({ entry_count: 4 }, CERTIFIED))).message).toBe(
    'ima_log: entry_count 4 is below the 5 entries certified before',
  )
  expect(imaParameters({ entry_count: 5 }, CERTIFIED)).toMatchObject({
    starting_offset: 5,
    entry_count: 0,
  })
})

test('a text list with names of several lines is asked for whole, as agents count either', () => {
  const text = { entry_count: 6, formats: ['text/plain'] }
  expect(imaParameters(text, CERTIFIED)).toMatchObject({ starting_offset: 0, entry_count: 6 })
})

test('a text list with a line for each entry continues where it ended', () => {
  const text = { entry_count: 20, formats: ['text/plain'] }
  const certified = { ...CERTIFIED, lines: CERTIFIED.entries }
  expect(imaParameters(text, certified)).toMatchObject({ starting_offset: 5, entry_count: 15 })
})
