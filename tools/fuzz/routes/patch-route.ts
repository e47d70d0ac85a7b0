import { PrerequisiteFailed } from '../../../conformance/attempt/endings.ts'
import { attributes, isSuccess } from '../../../conformance/attempt/reply.ts'
import type { Negotiation } from '../../../conformance/client/agents/evidence.ts'
import type { BootOptions } from '../../../conformance/client/agents/machines.ts'
import type { PushAgent, PushAgentOptions } from '../../../conformance/client/agents/push-agent.ts'
import type { VerifierClient } from '../../../conformance/client/verifier-client.ts'
import { eventsOf } from '../../../simulator/platform/scripted-boot.ts'
import { bootPolicyOf } from '../../../simulator/uefi/boot-policy-of.ts'
import { SHIM_GRUB } from '../../../simulator/uefi/profiles/loaders.ts'
import { mutationSteps } from '../encode.ts'
import { type Answer, answerOf } from '../findings/answer.ts'
import {
  contradictionsOfRecording,
  mutateRecording,
  patchBody,
  type Recording,
  recordEvidence,
} from '../recorded-evidence.ts'
import type { FuzzSession } from '../session.ts'
import type { Mutation, Recipe } from '../stages.ts'
import type { FuzzInput, Route } from './route.ts'

/** What can be mutated of evidence that a TPM has signed, in every dialect. */
function isFit({ id, stage }: Mutation, blob: boolean, ecc: boolean): boolean {
  if (id.startsWith('key.') || (id.startsWith('blob.') && !blob)) return false
  if (id.startsWith('ecc.') && !ecc) return false
  return stage === 'draft' || stage === 'message' || stage === 'signature' || stage === 'parts'
}

/** The evaluation of an attestation that was taken; one that does not end in its time is a hang. */
async function verdictOf(
  verifier: VerifierClient,
  agent: PushAgent,
  index: string,
): Promise<Answer> {
  const reply = await verifier.settled(agent.id, index)
  const evaluation = attributes(reply, 'evaluation')
  const line = `HTTP 202, then ${String(evaluation)} ${String(attributes(reply, 'failure_reason') ?? '')}`
  const text = reply.text
  if (evaluation === 'pass') return { kind: 'passed', line: line.trim(), text }
  if (evaluation === 'fail') return { kind: 'failed', line, text }
  if (!isSuccess(reply)) return answerOf(reply, () => undefined)
  return { kind: 'no answer', line: 'the evaluation did not end in its time', text }
}

/** Something to list: the last file of the boot runs once more, as its policy allows. */
async function runAFile({ machine }: PushAgent): Promise<void> {
  const [entry] = machine.ima.entries.filter(({ template }) => template === 'ima-sig').slice(-1)
  if (entry !== undefined) await machine.append(entry)
}

/** A token lives for minutes, and who says nothing while another way is fuzzed has to be reactivated. */
export async function negotiateAgain(
  verifier: Pick<VerifierClient, 'admin' | 'call'>,
  agent: Pick<PushAgent, 'id' | 'negotiate' | 'logIn'>,
): Promise<Negotiation> {
  try {
    return await agent.negotiate()
  } catch (error) {
    if (!(error instanceof PrerequisiteFailed)) throw error
    await verifier.call('reactivate', { as: verifier.admin, params: { agent_id: agent.id } })
    await agent.logIn()
    return agent.negotiate()
  }
}

async function record(
  verifier: VerifierClient,
  agent: PushAgent,
  { bootPolicy }: PushAgentOptions,
): Promise<Recording> {
  await runAFile(agent)
  const negotiation = await negotiateAgain(verifier, agent)
  return recordEvidence(agent.machine, negotiation, verifier.dialect, bootPolicy ?? undefined)
}

/** A machine whose firmware is known event by event, under the policy that accepts this boot alone. */
export const BOOTED: PushAgentOptions & BootOptions = {
  script: [['reboot', SHIM_GRUB.name]],
  measuredBoot: true,
  bootPolicy: JSON.stringify(bootPolicyOf(eventsOf(SHIM_GRUB))),
}

/** PATCH of evidence by an enrolled push agent: a virtual TPM signs it, and it is mutated afterwards. */
export async function patchRoute(
  session: FuzzSession,
  verifier: VerifierClient,
  mutations: readonly Mutation[],
  options: PushAgentOptions & BootOptions = {},
): Promise<Route> {
  const { dialect } = verifier
  const agent = await session.machines(verifier).pushAgent(options)
  const indices = new WeakMap<FuzzInput, string>()
  const blob = dialect['subject-data'] === 'blob'
  const ecc = agent.machine.ak.algorithm === 'ecc256'
  return {
    name: 'PATCH attestations',
    mutations: mutations.filter((one) => isFit(one, blob, ecc)),
    share: 1,
    async prepare(recipe: Recipe) {
      const recording = await record(verifier, agent, options)
      const parts = mutateRecording(recording, mutationSteps(recipe, mutations))
      const input: FuzzInput = {
        recipe,
        body: patchBody(parts, recording, dialect),
        says: () => contradictionsOfRecording(parts, recording, dialect),
      }
      indices.set(input, recording.negotiation.index)
      return input
    },
    async send(input) {
      const own = indices.get(input) ?? 'latest'
      const index = dialect['evidence-path'] === 'latest' ? 'latest' : own
      const reply = await verifier.call('submit', {
        ...{ as: agent.credentials, params: { agent_id: agent.id, index }, body: input.body },
        defect: 'a mutant of a fuzzer',
      })
      return isSuccess(reply) ? verdictOf(verifier, agent, own) : answerOf(reply, () => undefined)
    },
  }
}
