import type { Reply } from '../attempt/reply.ts'
import { base64 } from '../client/bytes.ts'
import type { CallOptions } from '../client/component-client.ts'
import type { Context } from '../scenario.ts'

/** A runtime policy that this run added, or tried to add. */
export interface StoredRuntimePolicy {
  readonly name: string
  readonly call: Pick<CallOptions, 'as' | 'params'>
  readonly created: Reply
}

/** Body that adds a runtime policy: its JSON text in base64, as the document has it. */
export function runtimePolicyBody(text: string, tpm_policy = '{}') {
  return { tpm_policy, runtime_policy: base64(new TextEncoder().encode(text)) }
}

/** The policy that accepts exactly what the recorded boot ran, and a file beside it that tells it from others. */
export function policyNaming({ machines }: Pick<Context, 'machines'>, path: string): string {
  const policy = JSON.parse(machines.policyOfBoot())
  return JSON.stringify({ ...policy, digests: { ...policy.digests, [path]: ['ab'.repeat(32)] } })
}

/** Adds a runtime policy under a name of its own, and deletes it in the end; `defect` says what is wrong with it. */
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

/** The JSON text of a policy that was read, whether it came in base64 or as it is (ambiguity RPENC). */
export function readPolicyText(value: unknown): string {
  const text = String(value)
  return text.trimStart().startsWith('{') ? text : Buffer.from(text, 'base64').toString()
}
