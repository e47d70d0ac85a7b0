import {
  API_VERSIONS,
  type ApiVersion,
  currentOf,
  isWithin,
  prefixesOf,
} from '../../api/versions.ts'
import { NoAnswer } from '../../http-client/json-client.ts'
import type { AgentRow } from '../../storage/databases/database.ts'
import { refused, unanswered } from './failures.ts'
import type { AgentLine, PollOutcome, PollParts } from './poll-parts.ts'
import { resultsOf, UnusableAnswer } from './quote-answer.ts'

/** The last version in which agents are servers; from 3.0 on they are clients only. */
const ASKED_UNTIL = '2.6'

/** Versions in which this verifier asks agents. */
function supported(served: readonly ApiVersion[]): readonly ApiVersion[] {
  return served.filter((version) => isWithin(version, { until: ASKED_UNTIL }))
}

/** The version an agent is asked in: the one it was added with, `2` being 2.0 (ambiguity V20), or the newest. */
export function agentVersion(
  { config }: Pick<PollParts, 'config'>,
  { supported_version }: Pick<AgentRow, 'supported_version'>,
): ApiVersion {
  const known = API_VERSIONS.find((one) => prefixesOf(one).includes(`/v${supported_version}`))
  if (known !== undefined && isWithin(known, { until: ASKED_UNTIL })) return known
  return currentOf(config.api_versions) ?? '2.5'
}

/**
 * Asks an agent that refused a version for its versions; the highest common one is kept (interface document,
 * "Versioning").
 *
 * @param otherwise the outcome if there is no other common version
 */
export async function settleVersion(
  parts: PollParts,
  agent: AgentRow,
  line: AgentLine,
  otherwise: PollOutcome,
): Promise<PollOutcome> {
  const from = agentVersion(parts, agent)
  try {
    const listed = versionsOf((await line.client.get('/version')).body)
    const ours = versionsFor(parts, agent, from)
    const to = parts.pullRules.commonVersion(ours, listed)
    const hasAttested = agent.attestation_count > 0
    if (to === undefined || !parts.pullRules.mayChangeVersion({ from, to, hasAttested }))
      return otherwise
    const why = `the agent does not support ${from}, and is polled with ${to}`
    // An agent that refuses a version that it lists is not retried without end.
    const step = unanswered(parts, line, 'internal.verifier.version_not_supported', why)
    if (step.event === 'given_up') return step
    return { event: 'version_refused', why, change: () => ({ supported_version: to }) }
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof UnusableAnswer) return otherwise
    throw error
  }
}

/** An agent that is asked for deep quotes cannot leave the versions that have them, and its host with them. */
function versionsFor(
  { config, pullRules }: PollParts,
  agent: AgentRow,
  from: ApiVersion,
): readonly ApiVersion[] {
  const ours = supported(config.api_versions)
  if (!pullRules.quotesDeeply(agent, from)) return ours
  return ours.filter((version) => pullRules.quotesDeeply(agent, version))
}

/** An agent lists its versions, or names the latest (ambiguity SVOPT). */
function versionsOf(body: unknown): readonly unknown[] {
  const { supported_versions: list, supported_version: latest } = resultsOf(body)
  return Array.isArray(list) ? list : [latest]
}

/** The outcome of an answer with another status than 200. */
export function refusedVersion(parts: PollParts, from: ApiVersion): PollOutcome {
  return refused(
    parts,
    'internal.verifier.version_not_supported',
    `the agent does not support ${from}, and there is no other common version`,
  )
}
