import { unbase64 } from '../../../conformance/client/bytes.ts'
import {
  challengeIn,
  isSignedBy,
  readAttestation,
} from '../../../conformance/oracle/push-evidence.ts'
import {
  attributesOf,
  documentOf,
  firstOf,
  stepsOf,
} from '../../../conformance/oracle/recording-parts.ts'
import type { PushRecording, SentByAgent } from '../../../conformance/peers/push-agent-pool.ts'
import type { PushOperation } from '../../../conformance/peers/push-timeline.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { member } from '../../../simulator/services/choose-evidence.ts'
import { TPM_ST } from '../../../simulator/tpm/constants.ts'
import { nameOf } from '../../../simulator/tpm/public.ts'
import { equal } from '../../../simulator/tpm/write.ts'

export const PROOF_REQUIREMENTS = [
  'PSH-PROOF-ROUTE',
  'PSH-PROOF-TYPE',
  'PSH-PROOF-METHOD',
  'PSH-PROOF-AGENT-ID',
  'PSH-PROOF-CERTIFY',
  'PSH-PROOF-AK',
  'PSH-PROOF-CHALLENGE',
  'PSH-PROOF-MESSAGE-BASE64',
  'PSH-PROOF-SIGNATURE-BASE64',
] as const

export const SESSION_REQUIREMENTS = [
  'PSH-SESSION-FIRST',
  'PSH-SESSION-TYPE',
  'PSH-SESSION-AGENT-ID',
  'PSH-SESSION-METHOD',
  'PSH-PREFIX',
  ...PROOF_REQUIREMENTS,
] as const

/** The items of an array, or one that is not in an array: the document shows both. */
function manyOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

const isPossession = (one: unknown) =>
  member(one, 'authentication_class') === 'pop' && member(one, 'authentication_type') === 'tpm_pop'

/** Checks the requests that opened sessions. */
export function checkOpening({ check, observe }: Context, { operations, id }: PushRecording): void {
  firstOf(operations, 'session')
  const [first] = operations.filter(({ peer }) => peer === 'verifier')
  check('PSH-SESSION-FIRST', 'the first request to the verifier').of(first?.step).is('session')
  for (const opened of stepsOf(operations, 'session')) {
    check('PSH-SESSION-TYPE', 'data.type').of(documentOf(opened)['type']).is('session')
    const { agent_id, authentication_supported: supported } = attributesOf(opened)
    check('PSH-SESSION-AGENT-ID', 'agent_id').of(agent_id).is(id)
    check('PSH-SESSION-METHOD', 'authentication_supported')
      .of(manyOf(supported))
      .matches('pop with tpm_pop among them', (all) => all.some(isPossession))
    const form = Array.isArray(supported) ? 'an array' : 'an object'
    observe('ARROBJ', 'authentication_supported', form)
  }
  const prefixes = operations.flatMap(({ peer, request: { url } }) =>
    peer === 'verifier' ? [url.split('/')[1] ?? ''] : [],
  )
  check('PSH-PREFIX', 'prefixes of its paths')
    .of([...new Set(prefixes)])
    .meets({ v3: (all) => String(all) === 'v3', 'v3.0': (all) => String(all) === 'v3.0' })
  observe('V3', 'the prefix', prefixes[0])
}

/** Checks that a proof is over the challenge of its session. Returns the form of the challenge in it. */
export function checkChallenge(
  { check }: Pick<Context, 'check'>,
  operation: PushOperation,
  cell?: string,
): ReturnType<typeof challengeIn> {
  const [given] = manyOf(attributesOf(operation)['authentication_provided'])
  const read = readAttestation(member(given, 'data'))
  const form = challengeIn(read, operation.session?.challenge ?? '')
  check('PSH-PROOF-CHALLENGE', 'the challenge in the proof', cell)
    .of(form)
    .isOneOf(['decoded', 'text'])
  return form
}

/** Whether a proof is signed by the key in `aikTpm`, a TPM2B_PUBLIC in base64. */
export function isProvenBy(operation: PushOperation, aikTpm: unknown): boolean {
  const [given] = manyOf(attributesOf(operation)['authentication_provided'])
  return isSignedBy(readAttestation(member(given, 'data')), aikTpm)
}

/** Compares every proof with the challenge and the registered key. */
export function checkProofs(
  { check, observe }: Context,
  { operations, id, registrar }: SentByAgent,
): void {
  const aikTpm = registrar.registrationOf(id)?.body['aik_tpm']
  firstOf(operations, 'proof')
  for (const operation of stepsOf(operations, 'proof')) {
    const { session } = operation
    const { agent_id, authentication_provided: provided } = attributesOf(operation)
    check('PSH-PROOF-ROUTE', 'a session that was opened for it').of(session?.agentId).is(id)
    check('PSH-PROOF-TYPE', 'data.type').of(documentOf(operation)['type']).is('session')
    check('PSH-PROOF-AGENT-ID', 'agent_id').of(agent_id).is(id)
    const [given] = manyOf(provided)
    check('PSH-PROOF-METHOD', 'authentication_provided')
      .of(given)
      .matches('pop with tpm_pop', isPossession)
    const read = readAttestation(member(given, 'data'))
    const { attest, encoded } = read
    check('PSH-PROOF-MESSAGE-BASE64', 'message is base64').of(encoded.message).is(true)
    check('PSH-PROOF-SIGNATURE-BASE64', 'signature is base64').of(encoded.signature).is(true)
    check('PSH-PROOF-CERTIFY', 'attested structure').of(attest?.type).is(TPM_ST.ATTEST_CERTIFY)
    check('PSH-PROOF-AK', 'signed by the key that was registered')
      .of(isProvenBy(operation, aikTpm))
      .is(true)
    const form = checkChallenge({ check }, operation)
    observe('NONCEENC', 'the form of the challenge in a proof', form)
    const certified = attest?.attested.kind === 'certify' ? attest.attested.name : undefined
    const own = nameOf(unbase64(String(aikTpm)))
    const object = certified && equal(certified, own) ? 'the AK itself' : 'another key'
    observe('CERTIFY', 'certified object', object)
  }
}
