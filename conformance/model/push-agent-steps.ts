import type { BehaviourName } from '../../simulator/services/verifier-behaviours.ts'
import { gapsOf, leastPause } from '../oracle/pauses.ts'
import type { Model } from './model.ts'
import {
  beginPushAgentSequence,
  meets,
  type PushAgentSequence,
  type PushAgentStep,
  retried,
  takeAsPushAgent,
  WATCHED,
} from './push-agent-sequence.ts'

const always = () => true
/** Factor by which jitter and load may lengthen a wait. */
const AT_MOST = 4
/** Least growth from the first to the third wait: nominally a factor of 4, less for jitter and load. */
const GROWS_BY = 1.6
/** A `Retry-After` of one second in milliseconds, with a tolerance for clocks and timers. */
const A_SECOND = 980

const CYCLE: PushAgentStep = {
  name: 'the verifier takes everything',
  weight: 4,
  requirements: ['PSH-STATE-ATTESTING', 'PSH-BACKOFF-OVER'],
  possible: always,
  async run(sequence) {
    const [evidence] = await meets(sequence, [], { step: 'evidence' })
    sequence.context
      .check('PSH-STATE-ATTESTING', 'the token sent with the evidence')
      .of(evidence?.bearer)
      .is('valid')
    sequence.rested = true
  },
}

/** Checks that accepted evidence resets the backoff. */
function checkFirstWait(sequence: PushAgentSequence, gap: number): void {
  const { agent, context } = sequence
  const { backoff, taken } = agent.patience
  const least = leastPause(agent)
  context
    .check('PSH-BACKOFF', 'milliseconds of the wait after a failure')
    .measured(gap)
    .matches(`at least ${least}`, (ms) => ms >= least)
  if (!sequence.rested || !taken.backoff) return
  context
    .check('PSH-BACKOFF-OVER', 'milliseconds of the wait after the first failure since a success')
    .measured(gap)
    .matches(`at most ${backoff * AT_MOST}`, (ms) => ms <= backoff * AT_MOST)
}

/** The verifier refuses capabilities once; the agent waits and retries. */
function refusing(does: BehaviourName): PushAgentStep {
  return {
    name: `capabilities are answered with ${does}`,
    weight: 2,
    requirements: ['PSH-BACKOFF', 'PSH-BACKOFF-OVER'],
    possible: always,
    async run(sequence) {
      const offers = await retried(sequence, does)
      checkFirstWait(sequence, gapsOf(offers)[0] ?? 0)
      sequence.rested = false
    },
  }
}

/** The verifier answers capabilities with Retry-After. */
function delaying(does: BehaviourName): PushAgentStep {
  return {
    name: `capabilities are answered with ${does}`,
    requirements: ['PSH-BACKOFF'],
    possible: always,
    async run(sequence) {
      const offers = await retried(sequence, does)
      const [gap = 0] = gapsOf(offers)
      sequence.context
        .check('PSH-BACKOFF', 'milliseconds of the wait after Retry-After')
        .measured(gap)
        .matches(`at least ${A_SECOND}`, (ms) => ms >= A_SECOND)
      sequence.rested = false
    },
  }
}

const LASTING: PushAgentStep = {
  name: 'capabilities fail three times',
  weight: 4,
  requirements: ['PSH-BACKOFF'],
  possible: always,
  async run(sequence) {
    const gaps = gapsOf((await retried(sequence, '503', 3)).slice(0, 4))
    sequence.context
      .check('PSH-BACKOFF', 'milliseconds of the waits')
      .measured(gaps)
      .matches(`the last ${GROWS_BY} times as long as the first`, (all) => {
        return (all.at(-1) ?? 0) >= (all[0] ?? 0) * GROWS_BY
      })
    sequence.rested = false
  },
}

const UNAUTHORIZED: PushAgentStep = {
  name: 'capabilities are answered with 401',
  requirements: ['PSH-STATE-REJECTED'],
  possible: always,
  async run(sequence) {
    await meets(sequence, [{ on: 'capabilities', does: '401' }], { step: 'evidence' })
    sequence.rested = true
  },
}

const FORGOTTEN: PushAgentStep = {
  name: 'the verifier forgets its tokens',
  requirements: ['PSH-STATE-ATTESTING'],
  possible: always,
  async run(sequence) {
    sequence.agent.verifier.forgetTokens()
    await meets(sequence, [], { step: 'proof' })
    // Evidence sent before the proof has the forgotten token.
    const from = sequence.agent.operations.length
    const [evidence] = await sequence.agent.took('evidence', 1, from)
    sequence.context
      .check('PSH-STATE-ATTESTING', 'the token sent with the retried evidence')
      .of(evidence?.bearer)
      .is('valid')
    sequence.rested = true
  },
}

/** The verifier rejects evidence once. */
function notTaking(does: BehaviourName): PushAgentStep {
  return {
    name: `evidence is answered with ${does}`,
    requirements: ['PSH-STATE-REJECTED'],
    possible: always,
    async run(sequence) {
      await meets(sequence, [{ on: 'evidence', does }], { step: 'evidence', times: 2 })
      sequence.rested = true
    },
  }
}

const MACHINE: readonly PushAgentStep[] = [
  {
    name: 'a file runs on the machine',
    requirements: [],
    possible: always,
    async run(sequence) {
      // While the agent is idle, its view of the list equals the machine's.
      await meets(sequence, [], { step: 'evidence' })
      await sequence.agent.play('measure /usr/bin/more')
      sequence.rested = true
    },
  },
  {
    name: 'the agent is started again',
    requirements: [],
    possible: always,
    async run(sequence) {
      const from = sequence.agent.operations.length
      sequence.agent.verifier.play([])
      await sequence.agent.restart()
      await sequence.agent.took('evidence', 1, from)
      sequence.rested = true
    },
  },
  {
    name: 'the machine reboots',
    requirements: [],
    possible: always,
    async run(sequence) {
      const from = sequence.agent.operations.length
      sequence.agent.verifier.play([])
      await sequence.agent.restart({ machine: 'reboot' })
      await sequence.agent.took('evidence', 1, from)
      sequence.rested = true
    },
  },
]

const STEPS: readonly PushAgentStep[] = [
  CYCLE,
  refusing('503'),
  refusing('404'),
  refusing('reset'),
  delaying('429-seconds'),
  delaying('503-seconds'),
  LASTING,
  UNAUTHORIZED,
  FORGOTTEN,
  notTaking('409'),
  notTaking('500'),
  ...MACHINE,
]

/** Model of the push agent under test, with a simulated registrar and verifier. */
export const PUSH_AGENT_MODEL: Model<PushAgentSequence> = {
  role: 'push_agent',
  requirements: [...new Set([...WATCHED, ...STEPS.flatMap(({ requirements }) => requirements)])],
  steps: STEPS,
  begin: beginPushAgentSequence,
  take: takeAsPushAgent,
}
