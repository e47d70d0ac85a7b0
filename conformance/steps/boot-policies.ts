import type { Step } from '../../simulator/machine/verbs.ts'
import { eventsOf } from '../../simulator/platform/scripted-boot.ts'
import { filled, toHex } from '../../simulator/tpm/write.ts'
import { type BootPolicy, bootPolicyOf } from '../../simulator/uefi/boot-policy-of.ts'
import { SHIM_GRUB } from '../../simulator/uefi/profiles/loaders.ts'
import type { Reply } from '../attempt/reply.ts'
import type { CallOptions } from '../client/component-client.ts'
import type { Context } from '../scenario.ts'

/** A boot policy that this run added, or tried to add. */
interface StoredBootPolicy {
  readonly name: string
  readonly call: Pick<CallOptions, 'as' | 'params'>
  /** A digest that is unique to this policy. */
  readonly marker: string
  readonly created: Reply
}

/** Body that adds or replaces a boot policy, as Keylime expects it; the document shows none. */
export function bootPolicyBody(marker: string): { readonly mb_policy: string } {
  const scrtm_and_bios = [{ scrtm: { sha256: `0x${marker}` }, platform_firmware: [] }]
  return { mb_policy: JSON.stringify({ has_secureboot: false, scrtm_and_bios }) }
}

const POLICY = bootPolicyOf(eventsOf(SHIM_GRUB))

/** A scripted boot, the policy that accepts only this boot, and one that requires another kernel. */
export const POLICED_BOOT: {
  readonly script: readonly Step[]
  readonly policy: BootPolicy
  readonly otherPolicy: BootPolicy
} = {
  script: [['reboot', SHIM_GRUB.name]],
  policy: POLICY,
  otherPolicy: {
    ...POLICY,
    kernels: (POLICY.kernels ?? []).map((kernel) => ({
      ...kernel,
      kernel_authcode_sha256: `0x${toHex(filled(32, 0x5a))}`,
    })),
  },
}

/** Statuses of a write to a read-only path. */
const READ_ONLY: ReadonlySet<number | undefined> = new Set([404, 405])

/**
 * Adds a boot policy under a unique name, by default the one with its marker, and deletes it in cleanup.
 * From 2.4 on, one reading of the document makes boot policies read-only (ambiguity MB24); the scenario
 * is not applicable to such a deployment.
 */
export async function storeBootPolicy(
  { verifier, random, version, cleanUp, notApplicable }: Context,
  policy?: BootPolicy,
): Promise<StoredBootPolicy> {
  const name = `assay-${random.uuid()}`
  const call = { as: verifier.admin, params: { name } }
  const marker = toHex(random.bytes(32))
  cleanUp(() => verifier.call('delete-boot-policy', call))
  const body = policy ? { mb_policy: JSON.stringify(policy) } : bootPolicyBody(marker)
  const created = await verifier.call('create-boot-policy', { ...call, body })
  if (version !== '2.3' && READ_ONLY.has(created.status))
    notApplicable('boot policies are read-only in this version (ambiguity MB24)')
  return { name, call, marker, created }
}
