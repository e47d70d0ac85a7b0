import { API_VERSIONS, type ApiVersion } from '../../api/versions.ts'
import type { TenantConfig } from '../../config/config.ts'
import { agentIdOf } from '../known-agent.ts'
import type { TenantOptions } from '../options.ts'
import { loadFile, loadPolicy } from '../policies/load-policy.ts'
import { BOOT_POLICY, type PolicyKind, RUNTIME_POLICY } from '../policies/policy-kinds.ts'
import { portOf } from '../ports.ts'
import type { Members } from '../read-members.ts'
import type { TenantSession } from '../session.ts'
import { TenantFault } from '../tenant-fault.ts'
import { makeCertificatePackage } from './payload/certificate-package.ts'
import { readSealedPayload, type SealedPayload } from './payload/sealed-payload.ts'
import { maskedTpmPolicy } from './tpm-policy.ts'

/** The parsed options of `add`; all files are read before the first request. */
export interface AddRequest {
  readonly agentId: string
  /** `pull`: the verifier polls the agent; `push`: the agent opens every connection. */
  readonly model: 'pull' | 'push'
  /** The address of the agent; overrides that of the registrar. */
  readonly host: string | undefined
  readonly port: string | undefined
  readonly payload: Uint8Array | undefined
  /** PEM of the key that signs notices of the agent's revocation; empty without one. */
  readonly revocationKey: string
  /** JSON text. */
  readonly metadata: string
  /** In place of a payload and of keys that are made for it. */
  readonly sealed: SealedPayload | undefined
  /** Members of the request to the verifier: policies, and names of policies that it has. */
  readonly policies: Members
  /** JSON text, with `mask`. */
  readonly tpmPolicy: string
  /** Spoken with the agent without asking. */
  readonly agentVersion: ApiVersion | undefined
  /** Whether the agent has to prove that it has the key before it counts as added. */
  readonly verify: boolean
  /** Whether the verifier has to show the agent before it counts as added. */
  readonly verifierCheck: boolean
  /** Name that the responsible verifier has to have. */
  readonly verifierId: string | undefined
  /** The verifier as agents see it. */
  readonly verifierHost: string | undefined
}

/** @throws {TenantFault} of an option, or of a file that one names */
export async function readAddRequest(
  options: TenantOptions,
  tenant: Pick<TenantSession, 'config' | 'parts' | 'files'>,
): Promise<AddRequest> {
  const policies = {
    ...policyMembers(RUNTIME_POLICY, options),
    ...policyMembers(BOOT_POLICY, options),
  }
  const logs = {
    ima: options.runtimePolicy !== undefined || options.runtimePolicyName !== undefined,
    boot: options.mbPolicy !== undefined || options.mbPolicyName !== undefined,
  }
  const agentId = agentIdOf(options)
  const file = options.file === undefined ? undefined : loadFile('--file FILE', options.file)
  const made = await makeCertificatePackage(options, agentId, tenant)
  const request: AddRequest = {
    agentId,
    model: options.pushModel ? 'push' : 'pull',
    host: options.targethost,
    port: portOf('--targetport', options.targetport)?.toString(),
    payload: made?.payload ?? file,
    revocationKey: made?.revocationKey ?? '',
    metadata: made?.metadata ?? '{}',
    sealed: readSealedPayload(options),
    policies,
    tpmPolicy: maskedTpmPolicy(options.tpm_policy ?? '{}', logs),
    agentVersion: versionOf(options.agentApiVersion),
    verify: options.verify,
    verifierCheck: options.verifierCheck,
    verifierId: options.cvid,
    verifierHost: options.cv_targethost,
  }
  checkPayloadSize(request, tenant.config)
  return request
}

/** A file is sent, under a name or the agent's own; a name alone means a policy that the verifier has. */
function policyMembers(kind: PolicyKind, options: TenantOptions): Members {
  const name = options[kind.options.name]
  return {
    ...(options[kind.options.file] !== undefined && loadPolicy(kind, options)),
    ...(name !== undefined && { [kind.nameMember]: name }),
  }
}

/** @throws {TenantFault} `usage` */
export function checkPayloadSize(
  { payload, sealed }: Pick<AddRequest, 'payload' | 'sealed'>,
  { max_payload_size }: TenantConfig,
): void {
  const size = payload?.length ?? sealed?.text?.length ?? 0
  if (size <= max_payload_size) return
  throw new TenantFault(
    'usage',
    `the payload has ${size} bytes, and ${max_payload_size} are allowed`,
    'make it smaller, or allow more with --set max_payload_size=BYTES',
  )
}

function versionOf(text: string | undefined): ApiVersion | undefined {
  if (text === undefined) return undefined
  const version = API_VERSIONS.find((one) => one === text && !one.startsWith('3.'))
  if (version !== undefined) return version
  throw new TenantFault(
    'usage',
    `--agent-api-version is ${JSON.stringify(text)}`,
    `give one of ${API_VERSIONS.filter((one) => !one.startsWith('3.')).join(', ')}`,
  )
}
