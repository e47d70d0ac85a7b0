import type { Step } from '../../simulator/machine/verbs.ts'
import { eventsOf } from '../../simulator/platform/scripted-boot.ts'
import { bootPolicyOf } from '../../simulator/uefi/boot-policy-of.ts'
import { SHIM_GRUB } from '../../simulator/uefi/profiles/loaders.ts'
import { attributes, type Reply, results } from '../attempt/reply.ts'
import { countOf } from '../client/agents/pull-agent.ts'
import type { Context, Scenario } from '../scenario.ts'

/** A machine fault that makes the firmware log contradict its quote or its policy. */
interface BootCase {
  readonly id: string
  readonly what: string
  /** Undefined for the passing twin. */
  readonly fault?: string
  /** The fault occurs after the agent is added, so that its runtime policy does not include it. */
  readonly later?: true
  /** The push agent attests before it boots with the fault. */
  readonly attested?: true
  /** The required failure reason; `either` if the list of adversarial inputs leaves it open. */
  readonly reason?: 'broken_evidence_chain' | 'policy_violation' | 'either'
}

const BROKEN = 'broken_evidence_chain' as const
const POLICY = 'policy_violation' as const

const CASES: readonly BootCase[] = [
  { id: 'accepted', what: 'A boot that matches its policy passes' },
  {
    ...{ id: 'event-altered', fault: 'uefi-event-altered', reason: BROKEN },
    what: 'A firmware log with an altered digest breaks the evidence chain',
  },
  {
    ...{ id: 'event-missing', fault: 'uefi-event-missing', reason: BROKEN },
    what: 'A firmware log without one of its events breaks the evidence chain',
  },
  {
    ...{ id: 'events-reordered', fault: 'uefi-events-swapped', reason: BROKEN },
    what: 'A firmware log with two swapped events breaks the evidence chain',
  },
  {
    ...{ id: 'another-machine', fault: 'uefi-log-of-another', reason: BROKEN },
    what: 'The firmware log of another machine breaks the evidence chain',
  },
  {
    ...{ id: 'event-retyped', fault: 'uefi-types-unknown', reason: POLICY },
    what: 'A firmware log that replays but has unknown event types is a policy violation',
  },
  {
    ...{ id: 'separator-error', fault: 'uefi-separator-error', reason: POLICY },
    what: 'A separator event that reports an error is a policy violation',
  },
  {
    ...{ id: 'other-image', fault: 'uefi-other-image', reason: POLICY },
    what: 'A boot loader that the policy does not name is a policy violation',
  },
  {
    ...{ id: 'further-image', fault: 'uefi-further-image', attested: true, reason: POLICY },
    what: 'An additional boot image that the policy does not name is a policy violation',
  },
  {
    ...{ id: 'other-database', fault: 'uefi-list-type-unknown', reason: POLICY },
    what: 'A signature in db that the policy does not name is a policy violation',
  },
  {
    ...{ id: 'sha1-log', fault: 'uefi-sha1-log', reason: 'either' },
    what: 'A firmware log with SHA-1 digests only does not support a SHA-256 quote',
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

/** The agent options of a case, and what its machine does before and after the agent is added. */
function staging({ fault, later, attested }: BootCase) {
  const operation: readonly Step[] = fault === undefined ? [] : [['fault', fault]]
  const booted = [...BOOT, ...operation]
  return {
    before: later || attested ? BOOT : booted,
    after: attested ? booted : later ? operation : [],
    enrolment: {
      ...(attested && { measured: false }),
      measuredBoot: true,
      bootPolicy: JSON.stringify(bootPolicyOf(eventsOf(SHIM_GRUB))),
    },
  }
}

interface Side {
  /** The passing twin of the sound boot. */
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

/** Scenarios with boot policies for push agents: a sound boot, and one for each fault. */
export function pushBootFamily(place: string): readonly Scenario[] {
  return CASES.map((one) => bootScenario(place, one, PUSH))
}

/** The same scenarios for pull agents, without the faults after the first quote. */
export function pullBootFamily(place: string): readonly Scenario[] {
  return CASES.filter(({ later }) => !later).map(({ attested: _, ...one }) =>
    bootScenario(place, one, PULL),
  )
}

const REASONS = { [BROKEN]: 'ATT-REASON-BROKEN', [POLICY]: 'ATT-REASON-POLICY' } as const

function bootScenario(place: string, one: BootCase, side: Side): Scenario {
  const { id, what, reason } = one
  const reported =
    side === PUSH && reason !== undefined && reason !== 'either' ? [REASONS[reason]] : []
  const fails = reason === undefined ? side.passes : side.fails
  return {
    id: `${place}.${id}`,
    title: what,
    requirements: [...(one.attested ? [side.passes] : []), fails, ...reported],
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
  if (one.attested)
    check(side.passes, 'evaluation before the machine boots with the fault')
      .of(attributes(await agent.attest(), 'evaluation'))
      .is('pass')
  await agent.machine.play(after) // the defect
  const seen = await agent.attest()
  const evaluation = attributes(seen, 'evaluation')
  const reported = attributes(seen, 'failure_reason')
  if (one.reason === undefined) check(side.passes, 'evaluation').of(evaluation).is('pass')
  else check(side.fails, `evaluation: ${one.what}`).of(evaluation).is('fail')
  if (one.reason === 'either') observe(one.id, 'failure_reason', reported)
  else if (one.reason) check(REASONS[one.reason], 'failure_reason').of(reported).is(one.reason)
}

function isEvaluated(record: Reply): boolean {
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
  const record = await agent.recordOnce(isEvaluated)
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
