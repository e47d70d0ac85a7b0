import { at, isSuccess, jsonIn, type Reply, results } from '../../../conformance/attempt/reply.ts'
import { enrolmentOf } from '../../../conformance/client/agents/enrolment.ts'
import type { PushAgent } from '../../../conformance/client/agents/push-agent.ts'
import { encodePort } from '../../../conformance/client/agents/registration.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import type { Dialect } from '../../../conformance/dialects/dialect.ts'
import type { Context } from '../../../conformance/scenario.ts'
import type { LightMachine } from '../../../simulator/machine/stub-machine.ts'
import { parseTpm2bPublic, pemOf } from '../../../simulator/tpm/public.ts'

/** A way of writing an add-agent request of API 2.0, which the document leaves open. */
interface LegacyForm {
  /** Ambiguity CLOUDIP. */
  readonly ip: 'ip' | 'cloudagent_ip'
  readonly port: 'port' | 'cloudagent_port'
  /** Ambiguity ALLOWTERM. */
  readonly allowlist: 'the runtime policy' | 'its older format'
  /** Ambiguity LEG20. */
  readonly supportedVersion: 'absent' | 'there'
}

const NAMES = [
  { ip: 'ip', port: 'port' },
  { ip: 'cloudagent_ip', port: 'cloudagent_port' },
] as const
const LISTS = ['the runtime policy', 'its older format'] as const
const FORMS: readonly LegacyForm[] = (['absent', 'there'] as const).flatMap((supportedVersion) =>
  NAMES.flatMap((names) => LISTS.map((allowlist) => ({ ...names, allowlist, supportedVersion }))),
)

/** Members of the legacy listing that the document leaves no choice about, with their values in a record. */
export const LEGACY_MEMBERS: readonly (readonly [
  name: string,
  value?: (record: unknown) => unknown,
])[] = [
  ['V', (record) => at(record, 'v')],
  ['OPERATIONAL-STATE'],
  ['PUBLIC-KEY'],
  ['TPM-POLICY', (record) => at(jsonIn(at(record, 'tpm_policy')), 22)],
  ['VTPM-POLICY'],
  ['METADATA', (record) => at(jsonIn(at(record, 'meta_data')), 'subject')],
  ['ACCEPT-TPM-HASH-ALGS', (record) => at(record, 'accept_tpm_hash_algs')],
  ['ACCEPT-TPM-ENCRYPTION-ALGS', (record) => at(record, 'accept_tpm_encryption_algs')],
  ['ACCEPT-TPM-SIGNING-ALGS', (record) => at(record, 'accept_tpm_signing_algs')],
]

export const ADDRESS = { ip: '127.0.0.1', port: 9 }

/** An agent that was added by the legacy listing, or not. */
interface LegacyEnrolment {
  /** The first form that was accepted, with its list; the last one if none was. */
  readonly form: LegacyForm
  /** Members under the names that a record has for them. */
  readonly sent: Readonly<Record<string, unknown>>
  readonly reply: Reply
  readonly record: Reply
}

/** Adds a registered agent with the members of the legacy listing, in each form until one is accepted. */
export async function enrolLegacy(
  { verifier, cleanUp, random }: Pick<Context, 'verifier' | 'cleanUp' | 'random'>,
  { id, machine }: PushAgent<LightMachine>,
): Promise<LegacyEnrolment> {
  cleanUp(() => verifier.deleteAgent(id))
  const usual = enrolmentOf(machine, { withoutKey: true }, verifier.dialect)
  const members = {
    v: base64(random.bytes(32)),
    operational_state: 1,
    public_key: pemOf(parseTpm2bPublic(machine.ak.public)),
    tpm_policy: JSON.stringify({ 22: ['ab'.repeat(32)], mask: '0x400000' }),
    vtpm_policy: '{}',
    metadata: JSON.stringify({ cert_serial: 7, subject: '/CN=an agent' }),
    accept_tpm_hash_algs: usual['accept_tpm_hash_algs'],
    accept_tpm_encryption_algs: usual['accept_tpm_encryption_algs'],
    accept_tpm_signing_algs: usual['accept_tpm_signing_algs'],
  }
  const sent = { ...members, meta_data: members.metadata }
  let tried: LegacyEnrolment | undefined
  for (const form of FORMS) {
    const open = openMembers(form, verifier.dialect, String(usual['runtime_policy']))
    const reply = await verifier.call('add-agent', {
      ...{ params: { agent_id: id }, as: verifier.admin, defect: 'the members of API 2.0' },
      body: { ...members, ...open },
    })
    const record = await verifier.readAgent(id)
    tried = { form, sent, reply, record }
    if (isSuccess(reply) && results(record, 'has_runtime_policy') !== 0) break
    if (isSuccess(reply)) await verifier.deleteAgent(id)
  }
  if (tried === undefined) throw new Error('there is no form of an add-agent request')
  return tried
}

function openMembers(
  { ip, port, allowlist, supportedVersion }: LegacyForm,
  dialect: Dialect,
  policy: string,
): Readonly<Record<string, unknown>> {
  return {
    [ip]: ADDRESS.ip,
    [port]: encodePort(ADDRESS.port, dialect),
    allowlist: allowlist === 'the runtime policy' ? policy : olderList(policy),
    ...(supportedVersion === 'there' ? { supported_version: '2.0' } : {}),
  }
}

/** The list that runtime policies replaced: `hashes` in JSON, and no base64. */
function olderList(policy: string): string {
  const { digests, keyrings } = JSON.parse(Buffer.from(policy, 'base64').toString())
  const meta = { version: 5 }
  const ima = { ignored_keyrings: [], log_hash_alg: 'sha1' }
  return JSON.stringify({ meta, release: 0, hashes: digests, keyrings, ima })
}
