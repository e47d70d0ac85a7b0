import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCheck } from '../../../conformance/attempt/check.ts'
import { PrerequisiteFailed } from '../../../conformance/attempt/endings.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import { packageRoot } from '../../../conformance/input/package-root.ts'
import type { PushRecording } from '../../../conformance/peers/push-agent-pool.ts'
import type { CheckResult } from '../../../conformance/report/result.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { CAPABILITY_REQUIREMENTS, checkCapabilities } from './check-capabilities.ts'
import { checkDocuments, EVIDENCE_REQUIREMENTS } from './check-evidence.ts'
import { checkOpening, checkProofs, SESSION_REQUIREMENTS } from './check-session.ts'

const ID = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'
const METHOD = { authentication_class: 'pop', authentication_type: 'tpm_pop' }
const BOOT = join(packageRoot(), 'fixtures', 'boots', 'full-ovmf-imasig')
const AIK = base64(readFileSync(join(BOOT, 'ak_rsa.tpm2b_public')))
const EK = base64(readFileSync(join(BOOT, 'ek_rsa.tpm2b_public')))
const QUOTE = { evidence_class: 'certification', evidence_type: 'tpm_quote' }

const opening = (data: unknown) => ({ step: 'session', json: { data } })
const proof = (provided: unknown) => {
  const attributes = { agent_id: ID, authentication_provided: provided }
  return { step: 'proof', json: { data: { type: 'session', attributes } } }
}
const evidence = (evidence_collected: unknown) => {
  const data = { type: 'attestation', attributes: { evidence_collected } }
  return { step: 'evidence', json: { data } }
}
const OPENED = opening({
  type: 'session',
  attributes: { agent_id: ID, authentication_supported: [METHOD] },
})

interface Told {
  readonly step: string
  readonly json: unknown
}

/** A recording with these requests; `aikTpm` is the registered key. */
function recordingOf(told: readonly Told[], aikTpm: string | undefined): PushRecording {
  const operations = told.map(({ step, json }) => ({
    ...{ peer: 'verifier', step, answer: { status: 200 }, known: { list: [] } },
    request: { url: '/v3/sessions', json, at: 0, headers: {} },
    session: { agentId: ID, challenge: 'AAAA' },
    attestation: { index: 0, challenge: 'AAAA', requested: [{ ...QUOTE, chosen_parameters: {} }] },
  }))
  const registrar = { registrationOf: () => aikTpm && { body: { aik_tpm: aikTpm } } }
  return { id: ID, operations, registrar } as unknown as PushRecording
}

/** The requirements that fail, each once. */
function failuresOf(
  requirements: readonly string[],
  run: (context: Context, recording: PushRecording) => void,
  ...[told, aikTpm]: readonly [readonly Told[], string?]
): readonly string[] {
  const results: CheckResult[] = []
  const sink = { lastExchange: () => 0, add: (result: CheckResult) => results.push(result) }
  const context = { check: makeCheck(requirements, sink), observe: () => undefined }
  run(context as unknown as Context, recordingOf(told, aikTpm))
  return [...new Set(results.filter(({ ok }) => !ok).map(({ requirement }) => requirement))]
}

test.each([
  ['like the first', OPENED, []],
  [
    'without data',
    opening(undefined),
    ['PSH-SESSION-TYPE', 'PSH-SESSION-AGENT-ID', 'PSH-SESSION-METHOD'],
  ],
  [
    'for another agent',
    opening({ type: 'session', attributes: { agent_id: 'x', authentication_supported: METHOD } }),
    ['PSH-SESSION-AGENT-ID'],
  ],
])('the second session of a recording is opened %s', (_, second, failures) => {
  expect(failuresOf(SESSION_REQUIREMENTS, checkOpening, [OPENED, second])).toEqual(failures)
})

test.each([
  ['its method', METHOD, false],
  ['no class', { authentication_type: 'tpm_pop' }, true],
  ['another type', { ...METHOD, authentication_type: 'x' }, true],
])('a proof names %s', (_, method, isFailure) => {
  const failures = failuresOf(SESSION_REQUIREMENTS, checkProofs, [proof([method])], AIK)
  expect(failures.includes('PSH-PROOF-METHOD')).toBe(isFailure)
})

test.each([
  ['once', [QUOTE], false],
  ['twice', [QUOTE, QUOTE], true],
])('a recording in which the requested quote is sent %s', (_, sent, isFailure) => {
  const failures = failuresOf(EVIDENCE_REQUIREMENTS, checkDocuments, [evidence(sent)])
  expect(failures.includes('PSH-EVIDENCE-MATCHES')).toBe(isFailure)
})

const offer = (public_: string | undefined) => {
  const certification_keys =
    public_ === undefined ? undefined : [{ public: public_, key_size: 2048 }]
  const item = { ...QUOTE, capabilities: { certification_keys } }
  const attributes = { evidence_supported: [item] }
  return { step: 'capabilities', json: { data: { type: 'attestation', attributes } } }
}

test.each([
  ['the registered key', AIK, []],
  ['another key', EK, ['PSH-KEY-PUBLIC']],
  ['no keys', undefined, ['PSH-QUOTE-KEYS']],
])('an offer of %s fails for its keys', (_, key, failures) => {
  const failed = failuresOf(CAPABILITY_REQUIREMENTS, checkCapabilities, [offer(key)], AIK)
  expect(failed.filter((id) => /^PSH-(QUOTE-KEYS|KEY-PUBLIC|KEY-SIZE)$/.test(id))).toEqual(failures)
})

test.each([undefined, 'AAAA'])(
  'an agent that registered no readable key, %j, fails its step',
  (aikTpm) => {
    expect(() => failuresOf(CAPABILITY_REQUIREMENTS, checkCapabilities, [OPENED], aikTpm)).toThrow(
      PrerequisiteFailed,
    )
  },
)
