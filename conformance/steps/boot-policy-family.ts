import type { Step } from '../../simulator/machine/verbs.ts'
import { eventsOf } from '../../simulator/platform/scripted-boot.ts'
import { bootPolicyOf } from '../../simulator/uefi/boot-policy-of.ts'
import { SHIM_GRUB } from '../../simulator/uefi/profiles/loaders.ts'
import { attributes, type Reply, results } from '../attempt/reply.ts'
import { countOf } from '../client/agents/pull-agent.ts'
import type { Context, Scenario } from '../scenario.ts'

/** A way in which a firmware log does not fit its quote or its policy, by the fault of the machine that does it. */
interface BootCase {
  readonly id: string
  readonly what: string
  /** Undefined for the passing twin. */
  readonly fault?: string
  /** The fault comes once the agent is known, so that its runtime policy does not know of it. */
  readonly later?: true
  /** What the failure has to be told as; either reason where the list of adversarial inputs leaves it open. */
  readonly reason?: 'broken_evidence_chain' | 'policy_violation' | 'either'
}

const BROKEN = 'broken_evidence_chain' as const
const POLICY = 'policy_violation' as const

const CASES: readonly BootCase[] = [
  { id: 'accepted', what: 'A boot that is the one of its policy passes' },
  {
    ...{ id: 'event-altered', fault: 'uefi-event-altered', reason: BROKEN },
    what: 'A firmware log in which a digest is altered breaks the evidence chain',
  },
  {
    ...{ id: 'event-missing', fault: 'uefi-event-missing', reason: BROKEN },
    what: 'A firmware log that lacks an event breaks the evidence chain',
  },
  {
    ...{ id: 'events-reordered', fault: 'uefi-events-swapped', reason: BROKEN },
    what: 'A firmware log with two events in the other order breaks the evidence chain',
  },
  {
    ...{ id: 'another-machine', fault: 'uefi-log-of-another', reason: BROKEN },
    what: 'The firmware log of another machine breaks the evidence chain',
  },
  {
    ...{ id: 'event-retyped', fault: 'uefi-types-unknown', reason: POLICY },
    what: 'A firmware log that replays, with types that nobody knows, is a policy violation',
  },
  {
    ...{ id: 'separator-error', fault: 'uefi-separator-error', reason: POLICY },
    what: 'A firmware that tells of an error in a separator is a policy violation',
  },
  {
    ...{ id: 'other-image', fault: 'uefi-other-image', reason: POLICY },
    what: 'A boot loader that is not the one of the policy is a policy violation',
  },
  {
    ...{ id: 'further-image', fault: 'uefi-further-image', reason: POLICY },
    what: 'An image that starts beside those of the policy is a policy violation',
  },
  {
    ...{ id: 'other-database', fault: 'uefi-list-type-unknown', reason: POLICY },
    what: 'A signature in db that the policy does not name is a policy violation',
  },
  {
    ...{ id: 'sha1-log', fault: 'uefi-sha1-log', reason: 'either' },
    what: 'A firmware log of SHA-1 alone proves nothing beside a quote of SHA-256',
  },
  {
    ...{ id: 'empty-log', fault: 'uefi-nothing', reason: 'either' },
    what: 'An empty firmware log does not satisfy a boot policy',
  },
  {
    ...{ id: 'aggregate-untied', fault: 'uefi-aggregate-untied', later: true, reason: POLICY },
    what: 'A list that begins with the boot aggregate of another machine is a policy violation',
  },
]

const BOOT: readonly Step[] = [['reboot', SHIM_GRUB.name]]

/** How an agent of a case is made, and what its machine does once it is known. */
function staging({ fault, later }: BootCase) {
  const operation: readonly Step[] = fault === undefined ? [] : [['fault', fault]]
  return {
    before: later ? BOOT : [...BOOT, ...operation],
    after: later ? operation : [],
    enrolment: {
      measuredBoot: true,
      bootPolicy: JSON.stringify(bootPolicyOf(eventsOf(SHIM_GRUB))),
    },
  }
}

interface Side {
  /** The scenario that the sound boot differs from. */
  readonly twin: string
  readonly since: string
  readonly until?: string
  readonly needs: Scenario['needs']
  readonly passes: string
  readonly fails: string
  readonly run: (context: Context, one: BootCase, side: Side) => Promise<void>
}

const NEEDS = ['ima_log', 'uefi_log', 'measured_boot'] as const

const PUSH: Side = {
  twin: 'push.evidence.uefi-log-accepted',
  since: '3.0',
  needs: NEEDS,
  passes: 'ATT-EVALUATION-PASS',
  fails: 'ATT-BOOT-POLICY-JUDGES',
  run: runPush,
}

const PULL: Side = {
  twin: 'verifier.polling.boot-log',
  since: '2.3',
  until: '2.5',
  needs: ['pull_mode', ...NEEDS],
  passes: 'VER-STATUS-COUNT-GROWS',
  fails: 'VER-CHECKS-BOOT',
  run: runPull,
}

/** Scenarios of push agents whose boot is judged: a sound one, and each way not to be. */
export function pushBootFamily(place: string): readonly Scenario[] {
  return CASES.map((one) => bootScenario(place, one, PUSH))
}

/** The same of pull agents, whose first quote is judged: what comes later is for those that are polled on. */
export function pullBootFamily(place: string): readonly Scenario[] {
  return CASES.filter(({ later }) => !later).map((one) => bootScenario(place, one, PULL))
}

const REASONS = { [BROKEN]: 'ATT-REASON-BROKEN', [POLICY]: 'ATT-REASON-POLICY' } as const

function bootScenario(place: string, one: BootCase, side: Side): Scenario {
  const { id, what, reason } = one
  const told = side === PUSH && reason !== undefined && reason !== 'either' ? [REASONS[reason]] : []
  const fails = reason === undefined ? side.passes : side.fails
  return {
    id: `${place}.${id}`,
    title: what,
    requirements: [fails, ...told],
    role: 'verifier',
    since: side.since,
    ...(side.until && { until: side.until, perMajor: true }),
    ...(side.needs && { needs: side.needs }),
    variantOf: reason === undefined ? side.twin : `${place}.accepted`,
    run: (context) => side.run(context, one, side),
  }
}

async function runPush(
  { machines, check, observe }: Context,
  one: BootCase,
  side: Side,
): Promise<void> {
  const { before, after, enrolment } = staging(one)
  const agent = await machines.pushAgent({ ...enrolment, script: before })
  await agent.machine.play(after) // the defect
  const seen = await agent.attest()
  const evaluation = attributes(seen, 'evaluation')
  const told = attributes(seen, 'failure_reason')
  if (one.reason === undefined) check(side.passes, 'evaluation').of(evaluation).is('pass')
  else check(side.fails, `evaluation: ${one.what}`).of(evaluation).is('fail')
  if (one.reason === 'either') observe(one.id, 'failure_reason', told)
  else if (one.reason) check(REASONS[one.reason], 'failure_reason').of(told).is(one.reason)
}

function isJudged(record: Reply): boolean {
  return countOf(record) > 0 || results(record, 'attestation_status') === 'FAIL'
}

async function runPull(
  { machines, check, observe }: Context,
  one: BootCase,
  side: Side,
): Promise<void> {
  const { before, enrolment } = staging(one)
  const agent = await machines.pullAgent({ ...enrolment, boots: before }) // the defect
  await agent.polled(1)
  const record = await agent.recordOnce(isJudged)
  const count = check(one.reason === undefined ? side.passes : side.fails, 'attestation_count')
  const status = results(record, 'attestation_status')
  if (one.reason === undefined) {
    count.of(countOf(record)).matches('at least 1', (passed) => passed > 0)
    return
  }
  count.of(countOf(record)).is(0)
  check(side.fails, 'attestation_status').of(status).isNot('PASS')
  observe(one.id, 'last_event_id', results(record, 'last_event_id'))
}
