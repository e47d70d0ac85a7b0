import { countOf, type PullAgent } from '../../../conformance/client/agents/pull-agent.ts'
import {
  type Context,
  type Reply,
  results,
  type Scenario,
  toHex,
} from '../../../conformance/scenario.ts'
import { registerHost, sha256 } from '../../../conformance/steps/deep-quote.ts'
import type { PullHost } from '../../../simulator/agents/deep-quote.ts'
import { pcrsOfMask } from '../../../simulator/agents/request-line.ts'

const COMMON = {
  ...({ role: 'verifier', since: '2.0', until: '2.0', settings: 'provider', seconds: 4 } as const),
  needs: ['pull_mode', 'deep_quotes'],
}
const MASKS = 'LEG-VER-VMASK'
const JUDGES = 'LEG-VER-VTPM-POLICY-JUDGES'
const PROVES = 'LEG-VER-DEEP-QUOTE-PROVES'

/** PCRs of the guest and of the host that have a policy. */
const [GUEST_PCR, HOST_PCR] = [4, 7]
const NEVER = 'ee'.repeat(32)

/** What one scenario has otherwise than the passing one. */
interface Deviation {
  readonly guestPcr?: string
  readonly hostPcr?: string
  /** Another host than the one that is registered. */
  readonly otherHost?: true
  readonly host?: Partial<PullHost>
  readonly answers?: 'ordinary'
  /** How its own quotes differ. */
  readonly does?: 'other-nonce'
  readonly vtpmPolicy?: string
  readonly hostIsActive?: false
}

interface Fault {
  readonly name: string
  /** Ends the sentence `The verifier fails an agent …`. */
  readonly what: string
  readonly requirement: typeof JUDGES | typeof PROVES
  readonly deviation: Deviation
}

const FAULTS: readonly Fault[] = [
  {
    name: 'guest-state',
    what: 'whose virtual TPM does not meet vtpm_policy',
    requirement: JUDGES,
    deviation: { guestPcr: NEVER },
  },
  {
    name: 'host-state',
    what: 'whose host does not meet tpm_policy',
    requirement: JUDGES,
    deviation: { hostPcr: NEVER },
  },
  {
    name: 'other-host',
    what: 'with a quote of another host',
    requirement: PROVES,
    deviation: { otherHost: true },
  },
  {
    name: 'unbound',
    what: 'with a quote of its host over another quote',
    requirement: PROVES,
    deviation: { host: { binding: (message) => sha256(message.subarray(1)) } },
  },
  {
    name: 'other-nonce',
    what: 'with a quote of its own over another nonce',
    requirement: PROVES,
    deviation: { does: 'other-nonce' },
  },
  {
    name: 'ordinary',
    what: 'that answers vmask with an ordinary quote',
    requirement: PROVES,
    deviation: { answers: 'ordinary' },
  },
  {
    name: 'unasked',
    what: 'that answers with a deep quote where it has no vtpm_policy',
    requirement: PROVES,
    deviation: { host: { always: true }, vtpmPolicy: '{}' },
  },
  {
    name: 'host-not-active',
    what: "whose host is not active at the provider's registrar",
    requirement: PROVES,
    deviation: { hostIsActive: false },
  },
]

/** Returns the passing scenario, and one for each fault of a deep quote in the layout of docs/deep-quotes.md. */
export function deepPollsFamily(place: string): readonly Scenario[] {
  const valid: Scenario = {
    ...COMMON,
    id: `${place}.valid`,
    title: 'The verifier asks an agent with a virtual TPM for deep quotes, which pass',
    requirements: [MASKS, JUDGES, PROVES],
    provesFunction: true,
    run: passes,
  }
  const faults = FAULTS.map(
    ({ name, what, requirement, deviation }): Scenario => ({
      ...COMMON,
      id: `${place}.${name}`,
      title: `The verifier fails an agent ${what}`,
      requirements: [requirement],
      variantOf: valid.id,
      run: (context) => fails(context, requirement, deviation), // the defect
    }),
  )
  return [valid, ...faults]
}

async function passes(context: Context): Promise<void> {
  const { check } = context
  const agent = await polled(context, {})
  const masks = (await agent.polled(3)).map(({ query }) =>
    [query['vmask'], query['mask']].map((mask) => pcrsOfMask(mask ?? '')),
  )
  check(MASKS, 'PCRs of vmask and mask')
    .of(masks)
    .matches(`${GUEST_PCR} in each vmask, and ${HOST_PCR} in each mask`, (all) =>
      all.every(([own, below]) => own?.includes(GUEST_PCR) && below?.includes(HOST_PCR)),
    )
  const record = await agent.recordOnce((one) => countOf(one) >= 2)
  for (const requirement of [JUDGES, PROVES])
    check(requirement, 'attestation_count')
      .of(countOf(record))
      .matches('at least 2', (count) => count >= 2)
}

async function fails(context: Context, requirement: string, deviation: Deviation): Promise<void> {
  const agent = await polled(context, deviation)
  const record = await agent.recordOnce((one) => isReported(one) || countOf(one) > 0)
  const { check } = context
  const reported = check(requirement, 'whether the record reports a failure').of(isReported(record))
  // The count of an agent that no poll has reached yet says nothing.
  if (reported.is(true)) check(requirement, 'attestation_count').of(countOf(record)).is(0)
}

function isReported(record: Reply): boolean {
  const event = results(record, 'last_event_id')
  return event !== null && event !== undefined
}

/** A guest on a registered host, which is polled under 2.0. */
async function polled(context: Context, deviation: Deviation): Promise<PullAgent> {
  const { machines } = context
  const [registered, other] = [await lightMachine(context), await lightMachine(context)]
  const machine = deviation.otherHost ? other : registered
  const agent = await machines.pullAgent({
    until: 'listening',
    versions: ['2.0'],
    ...(deviation.does && { script: [{ from: 1, does: deviation.does }] }),
    ...(deviation.answers !== 'ordinary' && { hostMachine: { machine, ...deviation.host } }),
  })
  await registerHost(context, agent.id, registered, deviation.hostIsActive)
  const guestPcr = deviation.guestPcr ?? (await pcrOf(agent.machine, GUEST_PCR))
  const hostPcr = deviation.hostPcr ?? (await pcrOf(machine, HOST_PCR))
  await agent.enrol({
    vtpm_policy: deviation.vtpmPolicy ?? JSON.stringify({ [GUEST_PCR]: [guestPcr] }),
    tpm_policy: JSON.stringify({ [HOST_PCR]: [hostPcr] }),
  })
  return agent
}

async function lightMachine({ machines }: Context) {
  return (await machines.lightAgent({ until: 'booted' })).machine
}

async function pcrOf({ quote }: Pick<PullHost['machine'], 'quote'>, pcr: number): Promise<string> {
  const { pcrValues } = await quote({
    qualifyingData: new Uint8Array(),
    bank: 'sha256',
    pcrs: [pcr],
  })
  return toHex(pcrValues.get(pcr) ?? new Uint8Array())
}
