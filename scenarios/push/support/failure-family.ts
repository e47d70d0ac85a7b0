import { attributes } from '../../../conformance/attempt/reply.ts'
import type { Defect } from '../../../conformance/client/agents/evidence.ts'
import { expectSuccess } from '../../../conformance/client/agents/expect-success.ts'
import type { PushAgent } from '../../../conformance/client/agents/push-agent.ts'
import { flipBit } from '../../../conformance/client/bytes.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import type { Machine } from '../../../simulator/machine/machine.ts'
import { toHex } from '../../../simulator/tpm/write.ts'

/** One defect of the evidence or its machine, and the expected outcome. */
interface FailureCase {
  /** A second failure reason that another reading of the document permits. */
  readonly otherReason?: string
  readonly id: string
  readonly what: string
  /** Requirement that it does not pass. */
  readonly requirement: string
  /** Requirement about `failure_reason`, and its expected value; absent if nothing fails. */
  readonly reason?: readonly [requirement: string, expected: string]
  readonly twin: string
  /** Members of the add-agent request in place of the usual ones. */
  readonly members?: (machine: Machine) => Promise<Readonly<Record<string, unknown>>>
  /** Action on the machine after its agent was added. */
  readonly happens?: (machine: Machine, context: Context) => Promise<unknown>
  readonly defect?: Defect
  /** Action on the machine after this attestation passed; the next one fails the same requirement. */
  readonly afterwards?: (machine: Machine) => Promise<unknown>
}

const POLICY = ['ATT-REASON-POLICY', 'policy_violation'] as const
const STATIC_PCRS = [4, 7]

/** Returns a static policy that allows the current values of the PCRs, one of them with its last bit flipped. */
async function staticPolicy(machine: Machine, altered?: number) {
  const values = await machine.tpm.pcrRead('sha256', STATIC_PCRS)
  const allowed = [...values].map(([pcr, value]) => [
    pcr,
    [toHex(pcr === altered ? flipBit(value, -1) : value)],
  ])
  return { tpm_policy: JSON.stringify(Object.fromEntries(allowed)) }
}

function staticValueOther(id: string, what: string, altered: number): FailureCase {
  return {
    id,
    what,
    requirement: 'ATT-PCR-POLICY-JUDGES',
    reason: POLICY,
    twin: `push.failures.${SOUND.id}`,
    members: (machine) => staticPolicy(machine, altered),
  }
}

/** The passing twin of the cases below. */
const SOUND: FailureCase = {
  id: 'static-value',
  what: 'The verifier passes the PCR values that the static policy lists, and no later ones',
  requirement: 'ATT-PCR-POLICY-JUDGES',
  twin: 'push.evidence.accepted',
  members: (machine) => staticPolicy(machine),
  afterwards: (machine) => machine.play('extend 7 00ff'),
}

const CASES: readonly FailureCase[] = [
  staticValueOther(
    'static-value-other',
    'The verifier reports a PCR value one bit off the static policy as a policy violation',
    4,
  ),
  staticValueOther(
    'static-value-last-other',
    'The verifier reports the last of two PCR values one bit off the static policy as a policy violation',
    7,
  ),
  {
    id: 'known-file-altered',
    what: 'The verifier reports a known path with other content as a policy violation',
    requirement: 'ATT-RUNTIME-POLICY-JUDGES',
    reason: POLICY,
    twin: 'push.evidence.accepted',
    happens: (machine, { random }) => machine.measure('/mnt/run.sh', random.bytes(32)),
  },
  {
    id: 'broken-and-forbidden',
    what: 'The verifier reports a broken signature before a file missing from the policy',
    requirement: 'ATT-REASON-BOTH',
    reason: ['ATT-REASON-BOTH', 'broken_evidence_chain'],
    otherReason: 'policy_violation',
    twin: 'push.evidence.accepted',
    happens: (machine) => machine.play('measure /usr/bin/not-in-policy'),
    defect: { signature: (bytes) => flipBit(bytes, -1000) },
  },
]

const ACKNOWLEDGED = 'ATT-FAIL-SUBMIT-202'

/** Returns a scenario for each defect that ends in one of the two failure reasons, and their twins. */
export function failureFamily(place: string): readonly Scenario[] {
  return [SOUND, ...CASES].map((one) => ({
    id: `${place}.${one.id}`,
    title: one.what,
    requirements: requirementsOf(one),
    role: 'verifier',
    since: '3.0',
    ...(one.happens && { needs: ['ima_log'] }),
    variantOf: one.twin,
    run: (context) => checkFailure(context, one),
  }))
}

function requirementsOf({ requirement, reason }: FailureCase): readonly string[] {
  return reason === undefined ? [requirement] : [...new Set([requirement, reason[0]]), ACKNOWLEDGED]
}

async function checkFailure(context: Context, one: FailureCase): Promise<void> {
  const { check } = context
  const agent = await agentOf(context, one)
  await one.happens?.(agent.machine, context)
  const negotiation = await agent.negotiate()
  const reply = await agent.submit(negotiation, { ...one.defect, says: one.what }) // the defect
  if (one.reason) check(ACKNOWLEDGED, 'HTTP status of the evidence PATCH').of(reply.status).is(202)
  const seen = await agent.verdict(negotiation)
  const judged = check(one.requirement, 'evaluation')
    .of(attributes(seen, 'evaluation'))
    .is(one.reason ? 'fail' : 'pass')
  if (judged && one.afterwards) {
    await one.afterwards(agent.machine)
    check(one.requirement, 'evaluation of the next attestation, after the machine changed')
      .of(attributes(await agent.attest(), 'evaluation'))
      .is('fail')
  }
  if (one.reason === undefined || !judged) return
  const [requirement, reason] = one.reason
  const received = check(requirement, 'failure_reason').of(attributes(seen, 'failure_reason'))
  if (one.otherReason === undefined) received.is(reason)
  else
    received.meets(
      Object.fromEntries([reason, one.otherReason].map((each) => [each, (seen) => seen === each])),
    )
}

async function agentOf({ machines }: Context, { members }: FailureCase): Promise<PushAgent> {
  if (members === undefined) return machines.pushAgent()
  const agent = await machines.pushAgent({ until: 'activated' })
  expectSuccess('adding an agent', await agent.enrol(await members(agent.machine)))
  await agent.logIn()
  return agent
}
