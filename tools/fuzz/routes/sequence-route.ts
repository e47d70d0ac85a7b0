import { runtimePolicyOf } from '../../../simulator/platform/boot-facts.ts'
import { bootPolicyOf } from '../../../simulator/uefi/boot-policy-of.ts'
import { applyAt, encodeEvidence, type MutationStep, mutationSteps } from '../encode.ts'
import { fittingPcrs } from '../mutations/pcr-policy.ts'
import type { MachineModel, Mutation } from '../stages.ts'
import { bodyOf, type EvidenceChannel, evidenceRoute } from './evidence-route.ts'
import type { FuzzInput, Route } from './route.ts'

/** The machine as the steps leave it, under policies that accept just that: what a verifier saw before a policy changed. */
function accepted(baseline: MachineModel, steps: readonly MutationStep[]): MachineModel {
  const machine = applyAt('machine', baseline, steps)
  const { boot } = machine
  return {
    ...machine,
    policy: { ...machine.policy, ...runtimePolicyOf(machine.measured) },
    tpmPolicy: fittingPcrs(machine),
    ...(boot && { boot: { ...boot, policy: bootPolicyOf(boot.events) } }),
  }
}

/** What came before, in the order in which it is sent: the machine of the baseline, and the changed one where it was accepted. */
function earlier(
  baseline: MachineModel,
  steps: readonly MutationStep[],
): readonly (readonly [MachineModel, readonly MutationStep[]])[] {
  const rebooted = { ...baseline, clock: { ...baseline.clock, resetCount: 2 } }
  if (steps.length === 0) return [[rebooted, []]]
  try {
    return [
      [accepted(rebooted, steps), []],
      [accepted(baseline, []), []],
      [accepted(baseline, steps), []],
    ]
  } catch (error) {
    // What a mutation made of policy or events need not be one that another policy can be derived from.
    if (error instanceof Error) return [[rebooted, []]]
    throw error
  }
}

/**
 * POST verify/evidence several times: the mutated evidence comes after other evidence of the same machine, which was
 * accepted under other policies, before a boot, or over its own nonce. What is said of the last is the same whatever came before.
 * The body of an input has a line for each request.
 */
export function sequenceRoute(
  channel: EvidenceChannel,
  baseline: MachineModel,
  mutations: readonly Mutation[],
): Route {
  const last = evidenceRoute(channel, baseline, mutations)
  const lastLine = (body: string): string => body.slice(body.lastIndexOf('\n') + 1)
  const after = (lines: readonly string[], input: FuzzInput): FuzzInput => ({
    ...input,
    body: [...lines, input.body.replaceAll('\n', ' ')].join('\n'),
  })
  return {
    ...{ name: `${channel.name}, in sequence`, mutations, share: last.share },
    async prepare(recipe) {
      const before = earlier(baseline, mutationSteps(recipe, mutations))
      const lines = before.map(([machine, steps]) =>
        bodyOf(encodeEvidence(machine, steps), channel.dialect),
      )
      return after(lines, await last.prepare(recipe))
    },
    withBody: (recipe, body) => ({
      ...{ recipe, body },
      says: () => last.withBody?.(recipe, lastLine(body)).says() ?? [],
    }),
    async send({ body }) {
      const lines = body.split('\n')
      for (const line of lines.slice(0, -1)) await channel.send(line)
      return channel.send(lines.at(-1) ?? '')
    },
    *smaller(body) {
      const lines = body.split('\n')
      for (const at of lines.slice(0, -1).keys()) yield lines.toSpliced(at, 1).join('\n')
    },
  }
}
