import { expect, test } from 'vitest'
import { toBase64 } from '../../bytes/base64.ts'
import { RUNTIME_POLICY } from '../../dev/testing/runtime-policy.ts'
import {
  attest,
  capabilities,
  enrol,
  logOffer,
  pcr,
  quoteOffer,
} from '../../dev/testing/verifier/push-requests.ts'
import { testVerifier } from '../../dev/testing/verifier/test-verifier.ts'
import { bothTpmPolicies, parseTpmPolicy } from '../../evidence/quote/tpm-policy.ts'

const ONES = '11'.repeat(32)
const OFFERS = capabilities([quoteOffer(), logOffer('ima_log')])

/** What the PCR policy of a stored policy, together with that of its agent, asks for and finds in a quote of PCRs 0 and 10. */
async function judged(stored: unknown, own: unknown = {}) {
  const verifier = await testVerifier()
  const runtime_policy = toBase64(Buffer.from(RUNTIME_POLICY))
  const body = { runtime_policy, tpm_policy: JSON.stringify(stored) }
  await verifier.ask('create-runtime-policy', { name: 'p' }, body)
  await enrol(verifier, { runtime_policy_name: 'p', tpm_policy: JSON.stringify(own) })
  const { attributes } = await attest(verifier, OFFERS)
  const [quote] = attributes.evidence ?? []
  const lines = verifier.logged().split('\n').filter(Boolean)
  const findings = lines.flatMap((line) => JSON.parse(line).finding ?? [])
  return {
    pcrs: quote?.chosen_parameters['selected_subjects'],
    findings: findings.filter((type: string) => /pcr_\d+$|quote|missing/.test(type)),
  }
}

test('the PCRs of a stored policy are asked for and compared', async () => {
  expect(await judged({ 0: [pcr(0)] })).toEqual({ pcrs: [0, 10], findings: [] })
  expect(await judged({ 0: [ONES] })).toEqual({
    pcrs: [0, 10],
    findings: ['pcr_validation.invalid_pcr_0'],
  })
})

test.each([{ 1: [ONES] }, { mask: '0x2' }])(
  'a PCR that the stored policy %j names has to be quoted',
  async (policy) => {
    const { pcrs, findings } = await judged(policy)
    expect(pcrs).toEqual([1, 10])
    expect(findings).not.toEqual([])
  },
)

test('the policy of the agent counts too', async () => {
  expect((await judged({ 0: [pcr(0), ONES] }, { 0: [pcr(0)] })).findings).toEqual([])
  expect((await judged({ 0: [pcr(0)] }, { 0: [ONES] })).findings).toEqual([
    'pcr_validation.invalid_pcr_0',
  ])
})

test('of two policies a PCR is allowed the values of both, and the masks are added up', () => {
  const both = bothTpmPolicies(
    JSON.stringify({ 0: [ONES, pcr(0)], 2: ONES, mask: '0x1' }),
    JSON.stringify({ 0: ['22'.repeat(32), ONES.toUpperCase()], 7: [], mask: '400' }),
  )
  expect(parseTpmPolicy(both)).toEqual({
    allowed: new Map([
      [0, [ONES]],
      [2, [ONES]],
      [7, []],
    ]),
    mask: [0, 10],
  })
})
