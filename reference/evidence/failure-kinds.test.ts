import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { flipped, recorded } from '../tpm/testing/recorded-boot.ts'
import { type EvidenceCase, evaluate } from './evaluate.ts'
import { type FailureKind, failureKinds } from './findings.ts'
import { parseTpmPolicy } from './quote/tpm-policy.ts'
import { RECORDED_QUOTES, recordedCase } from './testing/recorded-case.ts'
import { recordedPolicy } from './testing/recorded-policy.ts'
import { parseReferenceState } from './uefi/policy/reference-state.ts'

const LIST = Buffer.from(recorded('ascii_after_tools')).toString('latin1')
const LOG = recorded('binary_bios_measurements')
const ONLY_PCR_10 = RECORDED_QUOTES.find(({ file }) => file === 'rsassa_sha256_10')
const SECURE = { name: 'example', state: parseReferenceState('{}') } as const
const WRONG = { '/mnt/bin/busybox': ['00'.repeat(32)] }

/** The whole recorded boot, which passes, with some parts changed. */
function whole(change: Partial<EvidenceCase>, quote = RECORDED_QUOTES[0]): EvidenceCase {
  const runtimePolicy = recordedPolicy()
  const measuredBoot = { required: true }
  const rest = { uefi: LOG, measuredBoot, runtimePolicy, ignoreTomtouErrors: true }
  return recordedCase({ ...rest, ima: ascii(LIST), ...change }, quote)
}

function ascii(text: string) {
  return { format: 'ascii', bytes: Buffer.from(text, 'latin1'), startingOffset: 0 } as const
}

/** Binary entries carry their length, so that an entry of an unknown template can be skipped over. */
function unknownTemplate() {
  const bytes = recorded('binary_after_tools')
  bytes.set(Buffer.from('gis'), Buffer.from(bytes).indexOf('ima-sig') + 4)
  return { format: 'binary', bytes, startingOffset: 0 } as const
}

function without(member: 'ima' | 'uefi'): EvidenceCase {
  const { [member]: _, ...rest } = whole({})
  return rest
}

function policy(pcrs: Readonly<Record<string, readonly string[]>>) {
  return { tpmPolicy: parseTpmPolicy(JSON.stringify(pcrs)) }
}

/** The key of the recorded boot with another bit in objectAttributes. */
function unrestricted(): EvidenceCase {
  return whole({ attestationKey: flipped(recorded('ak_rsa.tpm2b_public'), 7, 0) })
}

function otherQuote(change: Partial<EvidenceCase['quote']>): EvidenceCase {
  const base = whole({})
  return { ...base, quote: { ...base.quote, ...change } }
}

const REPORT = '../verifier/tee/evaluate-tee.test.ts'
const POLLS = '../verifier/pull/poll-failures.test.ts'

/** How evidence comes by each failure, or the test of what else makes it. */
const PRODUCED: Readonly<Record<FailureKind, (() => EvidenceCase) | string>> = {
  'quote_validation.invalid_quote': () => otherQuote({ message: new Uint8Array(4) }),
  'quote_validation.quote_validation': () => whole({ nonce: Uint8Array.of(1) }),
  'quote_validation.invalid_attestation_key': unrestricted,
  'quote_validation.invalid_hash_alg': () => whole({ acceptedHashes: ['sha384'] }),
  'quote_validation.invalid_enc_alg': () => whole({ acceptedKeys: ['ecc', 'rsa3072'] }),
  'quote_validation.invalid_sign_alg': () => whole({ acceptedSchemes: ['ecdsa'] }),
  'possession.invalid_proof': 'quote/possession.test.ts',
  'pcr_validation.invalid_pcr_*': () => whole(policy({ '0': [] })),
  'pcr_validation.missing_pcrs': () => whole(policy({ '0': [] }), ONLY_PCR_10),
  'pcr_validation.unused_pcr_*': () => without('ima'),
  'measured_boot.invalid_pcr_*': () => whole({ measuredBoot: { required: true, pcrs: [10] } }),
  'measured_boot.parser.log': () => whole({ uefi: LOG.subarray(0, 40) }),
  'measured_boot.parser.invalid_pcrs_hashes': () => whole({ uefi: new Uint8Array(32) }),
  'measured_boot.missing_pcrs': () => whole({}, ONLY_PCR_10),
  'measured_boot.missing_log': () => without('uefi'),
  'measured_boot.policy_*': () => whole({ measuredBoot: { required: true, policy: SECURE } }),
  'ima.pcr_mismatch': () => whole({ ima: ascii('') }),
  'ima.parser.entry': () => whole({ ima: ascii(`${LIST}what is this\n`) }),
  'ima.validation.ima_hash': () => whole({ ima: ascii(LIST.replace('busybox', 'busybix')) }),
  'ima.validation.ima_pcr': () => whole({ ima: ascii(LIST.replace(/^10/, '11')) }),
  'ima.validation.no_validator': () => whole({ ima: unknownTemplate() }),
  'ima.validation.tomtou': () => whole({ ignoreTomtouErrors: false }),
  'ima.validation.*.not_in_allowlist': () =>
    whole({ runtimePolicy: recordedPolicy([], { digests: {} }) }),
  'ima.validation.*.runtime_policy_hash': () =>
    whole({ runtimePolicy: recordedPolicy([], { digests: WRONG }) }),
  'ima.invalid_key': 'ima/signed-files.test.ts',
  'ima.validator.ima-sig.invalid_signature': 'ima/signed-files.test.ts',
  'tee_attestation.invalid.tee': REPORT,
  'tee_attestation.invalid_input': REPORT,
  'tee_attestation.vcek_fetch': REPORT,
  'tee_attestation.invalid_public_key': REPORT,
  'tee_attestation.untrusted_vcek': REPORT,
  'tee_attestation.invalid_signature': REPORT,
  'tee_attestation.freshness_hash_failed': REPORT,
  'tee_attestation.invalid_chip_id': REPORT,
  'tee_attestation.invalid_tcb': REPORT,
  'tee_attestation.policy_debug': REPORT,
  'internal.verifier.exception': '../verifier/push/evaluation-queue.test.ts',
  'internal.verifier.timeout': '../verifier/evaluation/with-time-limit.test.ts',
  'quote_validation.invalid_data': POLLS,
  'quote_validation.no_pubkey': POLLS,
  'quote_validation.invalid_ima_entry_nb': POLLS,
  'internal.verifier.not_reachable': POLLS,
  'internal.verifier.not_reachable_v': POLLS,
  'internal.verifier.no_quote': POLLS,
  'internal.verifier.no_v': POLLS,
  'internal.verifier.version_not_supported': POLLS,
}

function typesOf(evidence: EvidenceCase): readonly string[] {
  return evaluate(evidence).findings.map(({ type }) => type)
}

function pattern(kind: FailureKind): RegExp {
  return new RegExp(`^${kind.replaceAll('.', '\\.').replace('*', '[a-z0-9-]+')}$`)
}

test('the whole recorded boot, from which each case below differs in one place, passes', () => {
  expect(evaluate(whole({}, RECORDED_QUOTES[0])).findings).toEqual([])
})

const HERE = failureKinds.filter((kind) => typeof PRODUCED[kind] !== 'string')

test.each(HERE)('evidence shows %s', (kind) => {
  const produce = PRODUCED[kind]
  const types = typeof produce === 'string' ? [] : typesOf(produce())
  expect(types.filter((type) => pattern(kind).test(type))).not.toEqual([])
})

test.each(failureKinds.filter((kind) => !HERE.includes(kind)))('another test shows %s', (kind) => {
  const file = new URL(String(PRODUCED[kind]), import.meta.url)
  expect(readFileSync(file, 'utf8')).toContain(`'${kind}'`)
})
