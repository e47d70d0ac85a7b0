import { toBase64 } from '../../../bytes/base64.ts'
import type { Check } from '../../../evidence/check.ts'
import { type CheckLists, defaultChecks } from '../../../evidence/evaluate.ts'
import { type VerifierStore, verifierStore } from '../../../storage/verifier-store.ts'
import {
  type EvaluationChecks,
  inProcessEvaluators,
  shippedChecks,
} from '../../../verifier/evaluation/in-process-evaluator.ts'
import type { PolledTask } from '../../../verifier/evaluation/task.ts'
import {
  OPERATIONAL_MOVES,
  type OperationalEffect,
  type OperationalEvent,
  type OperationalMove,
} from '../../../verifier/operational-state.ts'
import { answerChecks } from '../../../verifier/pull/answer-checks.ts'
import { type PullRules, pullRules } from '../../../verifier/pull/pull-rules.ts'
import { eachMinusOne, type Mutant } from '../evidence/list-minus-one.ts'
import { storing } from './storing.ts'

/** The parts in which one rule of how agents are asked is another. */
function asking(rule: Partial<PullRules>): Mutant['parts'] {
  return { pullRules: { ...pullRules, ...rule } }
}

/** Parts with other checks for the answers of polled agents only. */
function withPolledChecks(checks: Partial<EvaluationChecks>): Mutant['parts'] {
  return {
    evaluator: (settings) => {
      const { evaluatePolled } = inProcessEvaluators({ ...shippedChecks, ...checks })(settings)
      return { ...inProcessEvaluators()(settings), evaluatePolled }
    },
  }
}

type ListName = keyof CheckLists

/** The answers of polled agents without one check of their evidence. */
function withoutCheck(name: ListName, id: string): Mutant {
  const checks = defaultChecks[name] as readonly Check<never>[]
  const missing = checks.find((check) => check.id === id)
  if (missing === undefined) throw new Error(`there is no check called ${id}`)
  const left = checks.filter((check) => check !== missing)
  return {
    id: `polled-${id}-not-checked`,
    defect: `for polled agents ${id} is not checked, although ${missing.why}`,
    parts: withPolledChecks({ evidence: { ...defaultChecks, [name]: left } as CheckLists }),
  }
}

/** Parts whose evaluator gets a changed answer of a polled agent. */
function changingPolledTask(change: (task: PolledTask) => PolledTask): Mutant['parts'] {
  return {
    evaluator: (settings) => {
      const shipped = inProcessEvaluators()(settings)
      return {
        ...shipped,
        evaluatePolled: (task, policy) => shipped.evaluatePolled(change(task), policy),
      }
    },
  }
}

/** The parts in which polled agents move otherwise at some events, or not at all. */
function moving(
  events: readonly OperationalEvent[],
  change: (move: OperationalMove) => OperationalMove | undefined,
): Mutant['parts'] {
  const operationalMoves = OPERATIONAL_MOVES.flatMap((move) =>
    move.mode === 'pull' && events.includes(move.event) ? (change(move) ?? []) : move,
  )
  return { operationalMoves }
}

function without(effect: OperationalEffect) {
  return (move: OperationalMove): OperationalMove => ({
    ...move,
    effects: move.effects.filter((one) => one !== effect),
  })
}

function insteadOf(effect: OperationalEffect, other: OperationalEffect) {
  return (move: OperationalMove): OperationalMove => ({
    ...move,
    effects: move.effects.map((one) => (one === effect ? other : one)),
  })
}

type AgentChange = Parameters<VerifierStore['agents']['change']>[1]

/** The same change of a record, which counts no quote. */
function uncounted(change: AgentChange): AgentChange {
  return (agent) => {
    const changed = change(agent)
    return changed && { ...changed, attestation_count: agent.attestation_count }
  }
}

const IMA_PCR = 10
const SOME_V = toBase64(new Uint8Array(32))

const ASKING: readonly Mutant[] = [
  {
    id: 'poll-nonce-constant',
    defect: 'every agent is asked over the same nonce',
    parts: asking({ nonce: () => 'AbCdEfGhIjKlMnOpQrSt' }),
  },
  {
    id: 'poll-nonce-short',
    defect: 'the nonce of a poll has 19 characters',
    parts: asking({ nonce: (random) => pullRules.nonce(random).slice(1) }),
  },
  {
    id: 'poll-without-static-pcrs',
    defect: 'PCRs of the static policy are not asked for',
    parts: asking({ mask: (pcrs) => pullRules.mask(pcrs.filter((pcr) => pcr === IMA_PCR)) }),
  },
  {
    id: 'poll-without-ima-pcr',
    defect: 'PCR 10 is not asked for',
    parts: asking({ mask: (pcrs) => pullRules.mask(pcrs.filter((pcr) => pcr !== IMA_PCR)) }),
  },
  {
    id: 'poll-skips-a-line',
    defect: 'a list is asked for from one line later than it was read to',
    parts: asking({ imaEntry: (...asked) => pullRules.imaEntry(...asked) + 1 }),
  },
  {
    id: 'v-key-in-clear',
    defect: 'a V key is sent as it is',
    parts: asking({ encryptV: (v) => v }),
  },
  {
    id: 'v-key-of-zeros',
    defect: 'the V key that is sent is not the one that was given',
    parts: asking({ encryptV: (_v, nodeKey) => pullRules.encryptV(SOME_V, nodeKey) }),
  },
  {
    id: 'poll-given-up-at-once',
    defect: 'an agent that does not answer once is not asked again',
    parts: asking({ isTriedAgain: () => false }),
  },
  {
    id: 'poll-in-any-version',
    defect: 'an agent that has attested may be asked under an older version',
    parts: asking({ mayChangeVersion: () => true }),
  },
  {
    id: 'poll-in-oldest-version',
    defect: 'an agent that refuses a version is polled with the oldest common one',
    parts: asking({
      commonVersion: (supported, listed) => supported.find((version) => listed.includes(version)),
    }),
  },
]

const MOVING: readonly Mutant[] = [
  {
    id: 'polls-without-pause',
    defect: 'an agent is asked again as soon as it has answered',
    parts: moving(['quote_passed'], insteadOf('poll_later', 'poll_now')),
  },
  {
    id: 'polled-pass-not-counted',
    defect: 'a quote of a polled agent that verifies is not counted',
    parts: storing((database) => {
      const { agents } = verifierStore(database)
      return { agents: { ...agents, change: (id, change) => agents.change(id, uncounted(change)) } }
    }),
  },
  {
    id: 'polled-failure-not-told',
    defect: 'evidence of a polled agent fails, and the record has no reason',
    parts: moving(['evidence_failed'], without('count_failure')),
  },
  {
    id: 'polled-failure-forgotten',
    defect: 'a polled agent whose evidence fails is not asked any more, and looks like before',
    parts: moving(['evidence_failed'], () => undefined),
  },
  {
    id: 'unanswered-poll-forgotten',
    defect: 'an agent that does not answer once is not asked any more, and looks like before',
    parts: moving(['unanswered'], () => undefined),
  },
  {
    id: 'refused-poll-forgotten',
    defect:
      'an agent with an unusable answer is not polled any more, and its status does not change',
    parts: moving(['refused'], () => undefined),
  },
  {
    id: 'stopped-agent-polled',
    defect: 'an agent that is stopped is asked as before',
    parts: moving(['stopped'], (move) => ({ ...without('end_polling')(move), to: 'get_quote' })),
  },
  {
    id: 'reactivated-agent-not-polled',
    defect: 'an agent that was stopped is not asked when it is started again',
    parts: moving(['reactivated'], (move) => ({ ...move, to: move.from })),
  },
  {
    id: 'v-key-not-sent',
    defect: 'an agent whose key is proven gets no V key',
    parts: moving(['key_proven'], (move) => ({
      ...insteadOf('provide_v', 'poll_later')(move),
      to: 'get_quote',
    })),
  },
]

const EVALUATING: readonly Mutant[] = [
  withoutCheck('quote', 'quote.nonce'),
  withoutCheck('quote', 'quote.signature'),
  withoutCheck('quote', 'quote.type'),
  withoutCheck('quote', 'quote.pcr-digest'),
  withoutCheck('quote', 'quote.algorithms'),
  withoutCheck('quote', 'quote.clock'),
  withoutCheck('boundKey', 'bound-key.quoted'),
  withoutCheck('boundKey', 'bound-key.value'),
  withoutCheck('imaList', 'ima.replay'),
  withoutCheck('imaEntry', 'ima.entry-policy'),
  withoutCheck('tpmPolicyPcr', 'tpm-policy.value'),
  withoutCheck('boot', 'uefi.present'),
  {
    id: 'polled-boot-policy-ignored',
    defect: 'a boot policy does not count for a polled agent',
    parts: changingPolledTask((task) => ({ ...task, bootPolicy: null })),
  },
  {
    id: 'polled-static-policy-ignored',
    defect: 'a static policy does not count for a polled agent',
    parts: changingPolledTask((task) => ({ ...task, agent: { ...task.agent, tpm_policy: '{}' } })),
  },
  ...eachMinusOne({
    checks: answerChecks,
    defectWithout: ({ id, why }) => `${id} is not checked, although ${why}`,
    partsWith: (answer) => withPolledChecks({ answer }),
  }),
]

/** Verifiers that poll wrongly, evaluate answers wrongly, or take the wrong transition. */
export const POLLING_MUTANTS: readonly Mutant[] = [...ASKING, ...MOVING, ...EVALUATING]
