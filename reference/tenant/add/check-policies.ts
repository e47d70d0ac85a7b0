import { parseRuntimePolicy } from '../../evidence/ima/policy/runtime-policy.ts'
import { PolicyError } from '../../evidence/policy-error.ts'
import { unlessMissing } from '../known-agent.ts'
import type { Server } from '../peers/server.ts'
import { namedPolicy } from '../policies/named-policy.ts'
import { BOOT_POLICY, type PolicyKind, RUNTIME_POLICY } from '../policies/policy-kinds.ts'
import { textIn } from '../read-members.ts'
import type { TenantSession } from '../session.ts'
import { TenantFault } from '../tenant-fault.ts'
import type { AddRequest } from './add-request.ts'

/**
 * Checks whether an enrolled agent can be added again with these policies: one that comes without a text has to
 * be there once the agent is deleted, one with a text must not be.
 *
 * @throws {TenantFault} `not_found`, `conflict`, or `policy_not_usable` of a runtime policy that cannot be read
 */
export async function checkPolicies(
  { verifier }: Pick<TenantSession, 'verifier'>,
  request: Pick<AddRequest, 'agentId' | 'policies'>,
): Promise<void> {
  checkText(RUNTIME_POLICY.textOf(request.policies))
  for (const kind of [RUNTIME_POLICY, BOOT_POLICY]) await checkName(verifier, kind, request)
}

async function checkName(
  verifier: Server,
  kind: PolicyKind,
  { agentId, policies }: Pick<AddRequest, 'agentId' | 'policies'>,
): Promise<void> {
  const name = textIn(policies, kind.nameMember)
  if (name === undefined) return
  const question = namedPolicy(kind, name)
  const isGiven = kind.textOf(policies) !== undefined
  // A policy under the agent's own id is deleted with the agent.
  const isOwn = name === agentId
  if (!isGiven && !isOwn) await verifier.ask(question)
  if (!isGiven && isOwn)
    throw new TenantFault(
      'not_found',
      `the ${question.what} ends with the agent of that id`,
      `give its text anew: ${kind.words.file}`,
    )
  if (isGiven && !isOwn && (await unlessMissing(() => verifier.ask(question))) !== undefined)
    throw new TenantFault(
      'conflict',
      `the verifier at ${verifier.peer.address} has a ${question.what} already`,
      question.ifTaken,
    )
}

function checkText(text: string | undefined): void {
  try {
    if (text !== undefined) parseRuntimePolicy(text)
  } catch (cause) {
    if (!(cause instanceof PolicyError)) throw cause
    throw new TenantFault('policy_not_usable', cause.message, 'correct the named member', cause)
  }
}
