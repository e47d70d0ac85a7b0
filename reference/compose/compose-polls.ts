import type { VerifierConfig } from '../config/config.ts'
import { agentVersion } from '../verifier/pull/agent-version.ts'
import type { PollParts } from '../verifier/pull/poll-parts.ts'
import { type Poller, poller } from '../verifier/pull/poller.ts'
import { loadNotifiers } from '../verifier/revocation/load-notifiers.ts'
import { type Revocations, revocations } from '../verifier/revocation/revocations.ts'
import type { VerifierMetrics } from './metrics.ts'

/** The verifier parts that polls use. */
type PollRules = Pick<PollParts, 'clock' | 'random' | 'operationalMoves' | 'pullRules'>

interface PollNeeds
  extends Pick<PollParts, 'store' | 'log' | 'evaluator' | 'identity' | 'lookUpHost'> {
  readonly metrics: VerifierMetrics | undefined
}

/** Milliseconds for the notices of failures just before a stop. */
const DELIVERED_WITHIN = 5000

/** The poller and the notifications of its failures; notices use the poller's connections, and it queues them. */
export async function pollsOf(
  config: VerifierConfig,
  { clock, random, operationalMoves, pullRules }: PollRules,
  { metrics, ...needs }: PollNeeds,
): Promise<{ readonly polls: Poller; readonly revocations: Revocations }> {
  const { store, log, identity } = needs
  const polls: Poller = poller({
    ...{ ...needs, config, clock, random, operationalMoves, pullRules },
    ...(metrics && { metrics }),
    report: (incident) => queue.notify(incident),
  })
  const notifiers = await loadNotifiers({
    ...{ config, identity, now: clock.now() },
    ...{ retryWait: pullRules.retryWait, isTriedAgain: pullRules.isTriedAgain },
    agents: {
      ...{ store, log },
      agents: () => polls.agents(),
      versionOf: (agent) => agentVersion({ config }, agent),
      ask: (agent, question) => polls.ask(agent, question),
    },
  })
  const queue = revocations({
    ...{ notifiers, labels: config.severity_labels, clock, log },
    grace: DELIVERED_WITHIN,
  })
  return { polls, revocations: queue }
}
