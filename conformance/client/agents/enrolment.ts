import { type RuntimePolicy, runtimePolicyOf } from '../../../simulator/platform/boot-facts.ts'
import type { ImaLog } from '../../../simulator/platform/ima-log.ts'
import type { SigningKey } from '../../../simulator/swtpm/signing-key.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { base64 } from '../bytes.ts'
import { SOME_SERVER_CERTIFICATE } from './some-certificate.ts'

export interface Enrolment {
  /** Whether the agent has a runtime policy, so that the verifier evaluates its measurement list. Default true. */
  readonly measured?: boolean
  /** Edits the runtime policy, which by default accepts exactly the files that the machine ran. */
  readonly policy?: (policy: RuntimePolicy) => RuntimePolicy
  /** Keyring of file signatures, for the agent and in its policy. */
  readonly keyring?: string
  /** Address of the agent; absent for a push agent. */
  readonly address?: { readonly ip: string; readonly port: number }
  /** Adds a boot policy, so that the verifier evaluates the firmware log. */
  readonly measuredBoot?: boolean
  /** The measured boot reference state as JSON, or null for none. Needs `measuredBoot`. Default {@link BOOT_POLICY}. */
  readonly bootPolicy?: string | null
  /** Name of a stored boot policy. */
  readonly bootPolicyName?: string
  /** `supported_version` of the agent. Default 3.0. */
  readonly speaks?: string
  /** Omits the attestation key. Up to 2.0 the verifier reads it from the registrar. */
  readonly withoutKey?: true
}

const MASK_OF_7 = '0x80'

/** A Keylime boot policy that requires a firmware log that replays. */
export const BOOT_POLICY = JSON.stringify({ has_secureboot: false })

/** The machine data in an add-agent request. */
interface Enrolled {
  readonly ima: Pick<ImaLog, 'entries'>
  readonly ak: Pick<SigningKey, 'public'> & Partial<Pick<SigningKey, 'algorithm' | 'scheme'>>
}

/** The add-agent request of a push agent (interface document, "Add-agent request"). */
export function enrolmentOf(
  machine: Enrolled,
  {
    measured = true,
    policy,
    keyring = '',
    measuredBoot = false,
    bootPolicy = BOOT_POLICY,
    bootPolicyName = '',
    address,
    speaks = '3.0',
    withoutKey,
  }: Enrolment,
  dialect: Dialect,
): Readonly<Record<string, unknown>> {
  const accepted = { ...runtimePolicyOf(machine.ima.entries), 'verification-keys': keyring }
  const text = JSON.stringify(policy === undefined ? accepted : policy(accepted))
  return {
    ...(withoutKey ? {} : { ak_tpm: base64(machine.ak.public) }),
    ...reachedAt(address, dialect),
    // Without a policy that needs a PCR, the mask names one: a quote over none shows nothing.
    tpm_policy: measured ? '{}' : JSON.stringify({ mask: MASK_OF_7 }),
    runtime_policy: measured ? base64(new TextEncoder().encode(text)) : '',
    runtime_policy_name: '',
    ...bootPolicyMembers(measuredBoot ? bootPolicy : null, bootPolicyName, dialect),
    ima_sign_verification_keys: keyring,
    metadata: '{}',
    revocation_key: '',
    accept_tpm_hash_algs: ['sha512', 'sha384', 'sha256', 'sha1'],
    accept_tpm_encryption_algs: withOwn(['rsa', 'ecc'], machine.ak.algorithm),
    accept_tpm_signing_algs: withOwn(['rsassa', 'ecdsa'], machine.ak.scheme),
    supported_version: speaks,
  }
}

/** An address at which no agent listens. */
const NOWHERE = { ip: '127.0.0.1', port: 9 }

function reachedAt(
  address: Enrolment['address'],
  dialect: Dialect,
): Readonly<Record<string, unknown>> {
  const given = dialect['agent-address'] === 'given'
  const { ip, port } = address ?? (given ? NOWHERE : { ip: undefined, port: undefined })
  return {
    mtls_cert: given ? SOME_SERVER_CERTIFICATE : 'disabled',
    ...(ip !== undefined && { cloudagent_ip: ip, cloudagent_port: port }),
  }
}

/** The generic algorithm names, and the specific name of the machine's key if it has another one. */
function withOwn(usual: readonly string[], own: string | undefined): readonly string[] {
  if (own === undefined || own === 'rsa2048' || own === 'ecc256') return usual
  return [...new Set([...usual, own])]
}

function bootPolicyMembers(
  policy: string | null,
  name: string,
  dialect: Dialect,
): Readonly<Record<string, unknown>> {
  // The document has no member for the policy name.
  const documents = { mb_refstate: policy, ...(name !== '' && { mb_policy_name: name }) }
  const upstreams = { mb_policy: policy, mb_policy_name: name }
  switch (dialect['boot-policy-names']) {
    case 'mb_refstate':
      return documents
    case 'mb_policy':
      return upstreams
    case 'both':
      return { ...documents, ...upstreams }
  }
}
