import type { Reply } from '../attempt/reply.ts'
import { base64 } from '../client/bytes.ts'
import type { CallOptions } from '../client/component-client.ts'
import type { Context } from '../scenario.ts'

/** A runtime policy that the scenario added or tried to add. */
interface StoredRuntimePolicy {
  readonly name: string
  readonly call: Pick<CallOptions, 'as' | 'params'>
  readonly created: Reply
}

/** Body that adds a runtime policy: its JSON text in base64. */
export function runtimePolicyBody(text: string, tpm_policy = '{}') {
  return { tpm_policy, runtime_policy: base64(new TextEncoder().encode(text)) }
}

/** The policy of the recorded boot with one more file, which distinguishes it from other policies. */
export function policyNaming({ machines }: Pick<Context, 'machines'>, path: string): string {
  const policy = JSON.parse(machines.policyOfBoot())
  return JSON.stringify({ ...policy, digests: { ...policy.digests, [path]: ['ab'.repeat(32)] } })
}

/** Adds a runtime policy under a unique name and deletes it in cleanup; `defect` describes an intended defect. */
export async function storeRuntimePolicy(
  { verifier, machines, random, cleanUp }: Context,
  body: unknown = runtimePolicyBody(machines.policyOfBoot()),
  defect?: string,
): Promise<StoredRuntimePolicy> {
  const name = `assay-${random.uuid()}`
  const call = { as: verifier.admin, params: { name } }
  cleanUp(() => verifier.call('delete-policy', call))
  const odd = defect === undefined ? {} : { defect }
  return { name, call, created: await verifier.call('create-policy', { ...call, ...odd, body }) }
}

/** The JSON text of a policy in a reply, which is plain or in base64 (ambiguity RPENC). */
export function readPolicyText(value: unknown): string {
  const text = String(value)
  return text.trimStart().startsWith('{') ? text : Buffer.from(text, 'base64').toString()
}
