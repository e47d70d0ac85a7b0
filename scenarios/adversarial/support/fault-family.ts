import { refused } from '../../../conformance/attempt/check.ts'
import { attributes, presentReply, type Reply } from '../../../conformance/attempt/reply.ts'
import { BINARY_LIST } from '../../../conformance/client/agents/capabilities.ts'
import type { PushAgent, PushAgentOptions } from '../../../conformance/client/agents/push-agent.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { type Fault, placesOf } from '../../../simulator/faults/fault.ts'
import { FAULTS } from '../../../simulator/faults/known-faults.ts'
import { UEFI_FAULTS } from '../../../simulator/faults/uefi/known-uefi-faults.ts'

/** Requirement that the answer to a fault counts for. */
const REQUIREMENTS: Readonly<Record<Fault['outcome'], string>> = {
  refused: 'ATT-EVIDENCE-BENT',
  policy: 'ATT-RUNTIME-POLICY-JUDGES',
  fails: 'ATT-EVIDENCE-BENT',
  accepted: 'ATT-EVALUATION-PASS',
  either: 'ATT-EVIDENCE-JUDGED',
}

const COMPLETES = 'ATT-STAGE-EVALUATING-TO-COMPLETE'

/** Expected answer in the title of a scenario. */
const ANSWERS: Readonly<Record<Fault['outcome'], string>> = {
  refused: 'rejects evidence',
  policy: 'reports a policy violation',
  fails: 'fails an attestation',
  accepted: 'passes evidence',
  either: 'answers evidence',
}

/**
 * Returns a scenario for each named fault of a scripted machine: the machine develops the fault after its agent was
 * enrolled, and the agent attests. A refusal is a 4xx or the evaluation `fail`; the twin has no fault. Huge faults
 * are left out, since they delay every other scenario on the machine. Faults of firmware logs have their own
 * families.
 */
export function faultFamily(place: string): readonly Scenario[] {
  const firmware = new Set<Fault>(UEFI_FAULTS)
  return FAULTS.filter((fault) => fault.huge === undefined && !firmware.has(fault)).map((fault) =>
    faultScenario(place, fault),
  )
}

/** Options under which a fault takes effect: the list format, and enough PCRs to confuse them. */
function setUpFor(fault: Fault): { readonly twin: string; readonly options: PushAgentOptions } {
  const places = placesOf(fault)
  if (places.includes('pcrs')) {
    return { twin: 'push.evidence.uefi-log-accepted', options: { measuredBoot: true } }
  }
  if (places.includes('ima-binary')) {
    return { twin: 'push.evidence.binary-list-accepted', options: { imaFormats: [BINARY_LIST] } }
  }
  return { twin: 'push.evidence.accepted', options: {} }
}

/** A defect of the quote shows without logs. */
function needsOf(fault: Fault): readonly string[] {
  const [place] = placesOf(fault)
  if (place === 'pcrs') return ['ima_log', 'uefi_log']
  return place === 'quote' || place === 'signature' ? [] : ['ima_log']
}

function faultScenario(place: string, fault: Fault): Scenario {
  const { twin, options } = setUpFor(fault)
  return {
    id: `${place}.${fault.name}`,
    title: `The verifier ${ANSWERS[fault.outcome]} if ${fault.what}`,
    requirements: [REQUIREMENTS[fault.outcome], COMPLETES],
    role: 'verifier',
    since: '3.0',
    needs: needsOf(fault),
    variantOf: twin,
    async run(context) {
      const agent = await context.machines.pushAgent(options)
      await agent.machine.play([['fault', fault.name]]) // the defect
      const answer = await answerTo(agent, (evaluation) =>
        context
          .check(COMPLETES, `the evaluation of evidence in which ${fault.what}`)
          .of(evaluation)
          .isNot('pending'),
      )
      if (answer !== undefined) checkAnswer(context, fault, answer)
    },
  }
}

/**
 * Returns the outcome of the evidence: the reason of its failure, `pass`, `refused`, or a phrase in their place.
 * The answer to the offer may already decide it. Undefined if the evaluation is not complete.
 */
async function answerTo(
  agent: PushAgent,
  isComplete: (evaluation: unknown) => boolean,
): Promise<string | undefined> {
  const offered = await agent.offerInTurn()
  if (refused(offered)) return 'refused'
  const negotiation = agent.negotiationIn(offered)
  const reply = await agent.submit(negotiation)
  if (refused(reply)) return 'refused'
  if (reply.status !== 202) return presentReply(reply)
  const seen = await agent.verdict(negotiation)
  return isComplete(attributes(seen, 'evaluation')) ? verdictOf(seen) : undefined
}

function verdictOf(seen: Reply): string {
  const verdict = attributes(seen, 'evaluation')
  const reason = verdict === 'fail' ? attributes(seen, 'failure_reason') : undefined
  return String(reason ?? verdict)
}

/** A failure without a reason is still a failure; other requirements cover the reasons. */
const WITHOUT_REASON = 'fail'

const ENDS: Readonly<Record<Fault['outcome'], readonly string[]>> = {
  refused: ['refused', 'broken_evidence_chain', WITHOUT_REASON],
  policy: ['policy_violation', WITHOUT_REASON],
  fails: ['refused', 'broken_evidence_chain', 'policy_violation', WITHOUT_REASON],
  accepted: ['pass'],
  either: ['refused', 'broken_evidence_chain', 'policy_violation', WITHOUT_REASON, 'pass'],
}

function checkAnswer({ check }: Context, fault: Fault, answer: string): void {
  check(REQUIREMENTS[fault.outcome], `the answer to evidence in which ${fault.what}`)
    .of(answer)
    .isOneOf(ENDS[fault.outcome])
}
