import { expect, test } from 'vitest'
import { present } from '../../api/reply-shape.ts'
import { API_VERSIONS, isWithin } from '../../api/versions.ts'
import { loadConfig } from '../../config/config.ts'
import { agentRow } from '../../dev/testing/storage/rows.ts'
import { verifierReplies } from './verifier-replies.ts'

const CONFIG = loadConfig('verifier', undefined, [])
const UNTIL_24 = API_VERSIONS.filter((version) => isWithin(version, { until: '2.4' }))
const SINCE_25 = API_VERSIONS.filter((version) => isWithin(version, { since: '2.5' }))

/** The rows of the document's table, and those that 2.5 adds. */
const OF_24 =
  'operational_state v ip port tpm_policy vtpm_policy meta_data has_mb_refstate has_runtime_policy accept_tpm_hash_algs accept_tpm_encryption_algs accept_tpm_signing_algs hash_alg enc_alg sign_alg verifier_id verifier_ip verifier_port severity_level last_event_id attestation_count last_received_quote last_successful_attestation'
const ADDED_BY_25 = 'attestation_status attestation_period maximum_attestation_interval'

function statusIn(version: (typeof API_VERSIONS)[number], enc_alg = 'ecc256') {
  const source = { agent: agentRow({ enc_alg }), config: CONFIG, acceptance: 'accepting' } as const
  return present(verifierReplies.agentStatus, source, version)
}

test.each(UNTIL_24)('in %s the status record has the members of 2.4', (version) => {
  expect(Object.keys(statusIn(version))).toEqual(OF_24.split(' '))
})

test.each(SINCE_25)('in %s the status record has three members more', (version) => {
  expect(Object.keys(statusIn(version))).toEqual(`${OF_24} ${ADDED_BY_25}`.split(' '))
})

test.each([
  ['rsa2048', 'rsa'],
  ['rsa4096', 'rsa'],
  ['ecc521', 'ecc'],
  ['ecc_sm2', 'ecc'],
])('%s is called %s up to 2.4', (name, generic) => {
  expect(statusIn('2.4', name)['enc_alg']).toBe(generic)
  expect(statusIn('2.5', name)['enc_alg']).toBe(name)
})

const PCRS = { sha256: { 7: '00' } }
const PASSED = { valid: true, claims: { pcrs: PCRS }, failures: [] }
const FAILED = { valid: false, claims: {}, failures: [{ type: 'a.b', context: { message: 'c' } }] }

test.each(UNTIL_24)('in %s a verdict is a number and claims nothing', (version) => {
  const { claims: _, ...passed } = PASSED
  expect(present(verifierReplies.verdict, PASSED, version)).toEqual({ ...passed, valid: 1 })
  const { failures } = FAILED
  expect(present(verifierReplies.verdict, FAILED, version)).toEqual({ valid: 0, failures })
})

test.each(SINCE_25)('in %s a verdict is a boolean and has claims', (version) => {
  expect(present(verifierReplies.verdict, PASSED, version)).toEqual(PASSED)
  expect(present(verifierReplies.verdict, FAILED, version)).toEqual(FAILED)
})
