import { expectSuccess } from '../../../conformance/client/agents/expect-success.ts'
import {
  ANONYMOUS,
  base64,
  type Context,
  isSuccess,
  REFUSED,
  type Reply,
  results,
  type Scenario,
} from '../../../conformance/scenario.ts'
import { activationNonce, deepQuote, registerHost } from '../../../conformance/steps/deep-quote.ts'
import { DEEP_QUOTE_FAULTS, type Recipe } from './deep-quote-faults.ts'

const COMMON = {
  ...({ role: 'registrar', since: '1.0', until: '2.0', settings: 'provider' } as const),
  needs: ['deep_quotes'],
}
const ACTIVATES = 'LEG-REG-VACTIVATE-DEEPQUOTE'
const REFUSES = 'REG-DEEPQUOTE-NO-PROOF'
const ONE_REGISTRATION = 'REG-DEEPQUOTE-ONE-REGISTRATION'
/** A contact address other than that of the first registration. */
const MOVED = '127.0.0.77'

/** Returns the passing scenario, and one for each fault of a deep quote in the layout of docs/deep-quotes.md. */
export function deepQuoteFamily(place: string): readonly Scenario[] {
  const valid: Scenario = {
    ...COMMON,
    id: `${place}.valid`,
    title: 'The registrar activates an agent with a virtual TPM by a deep quote',
    requirements: [ACTIVATES],
    provesFunction: true,
    async run(context) {
      const { reply, record } = await vactivate(context, await registerParties(context))
      context.check(ACTIVATES, 'HTTP status of the activation').of(reply.status).is(200)
      context.check(ACTIVATES, 'HTTP status of reading the record').of(record.status).is(200)
    },
  }
  const moved: Scenario = {
    ...COMMON,
    id: `${place}.moved`,
    title:
      'The registrar shows the address with which an agent registered again, once a deep quote activates it',
    requirements: ['REG-RECORD-IP'],
    variantOf: valid.id,
    async run(context) {
      const parties = await registerParties(context)
      await vactivate(context, parties)
      const { record } = await vactivate(context, parties, { ip: MOVED })
      context
        .check('REG-RECORD-IP', 'ip after the agent registered and activated again')
        .of(results(record, 'ip'))
        .is(MOVED)
    },
  }
  const faults = DEEP_QUOTE_FAULTS.map(({ name, what, recipe }): Scenario => {
    const title = `The registrar activates no agent by a deep quote ${what}`
    const run = (context: Context) => refuses(context, { defect: `a deep quote ${what}`, recipe }) // the defect
    return {
      ...COMMON,
      id: `${place}.${name}`,
      title,
      requirements: [REFUSES],
      run,
      variantOf: valid.id,
    }
  })
  const inactive: Scenario = {
    ...COMMON,
    id: `${place}.host-not-active`,
    title: "The registrar activates no agent whose host is not active at the provider's registrar",
    requirements: [REFUSES],
    variantOf: valid.id,
    run: (context) =>
      refuses(context, { defect: 'a host that is not active', hostIsActive: false }), // the defect
  }
  const overtaken: Scenario = {
    ...COMMON,
    id: `${place}.registered-meanwhile`,
    title: 'The registrar activates no later registration by the deep quote of an earlier one',
    requirements: [ONE_REGISTRATION],
    variantOf: valid.id,
    async run(context) {
      const { registrar, verifier, machines, notApplicable } = context
      const { id } = await machines.lightAgent({ until: 'registered' })
      // A registrar may show what was registered before the activation (ambiguity UNACTIVATED).
      if (isSuccess(await registrar.read(id, verifier.admin)))
        notApplicable('the registrar shows registrations that are not activated')
      for (let round = 1; round <= ROUNDS; round++) await overtake(context, round)
    },
  }
  return [valid, moved, ...faults, inactive, overtaken]
}

/** Registrations that come while an activation waits for the provider's registrar, and how often that is tried. */
const [AT_ONCE, ROUNDS] = [6, 3]

/** Registers another TPM under the id of a guest, right after the activation of the guest was sent. */
async function overtake(context: Context, round: number): Promise<void> {
  const { registrar, machines, check } = context
  const other = await machines.lightAgent({ until: 'booted' })
  const body = registrar.registrationOf(other.machine)
  const { record } = await vactivate(context, await registerParties(context), {
    defect: 'a deep quote, and registrations of another TPM meanwhile',
    meanwhile: (id) => Array.from({ length: AT_ONCE }, () => registrar.register(id, body)), // the defect
  })
  check(ONE_REGISTRATION, `whether the record has the key of the other TPM, round ${round}`)
    .of(record.text.includes(base64(other.machine.ak.public)))
    .is(false)
}

interface Deviation {
  readonly defect?: string
  readonly recipe?: (typeof DEEP_QUOTE_FAULTS)[number]['recipe']
  readonly hostIsActive?: boolean
  /** Sends other requests for the agent right after the activation. */
  readonly meanwhile?: (agentId: string) => readonly Promise<unknown>[]
}

async function refuses(context: Context, deviation: Deviation): Promise<void> {
  const parties = await registerParties(context, deviation.hostIsActive)
  const { reply, record } = await vactivate(context, parties, deviation)
  context
    .check(REFUSES, 'activation')
    .of(reply)
    .matches(...REFUSED)
  context
    .check(REFUSES, 'reading the record')
    .of(record)
    .matches(...REFUSED)
}

/** Boots a guest, its host, which it registers at the provider's registrar, and a machine that is neither. */
async function registerParties(context: Context, hostIsActive = true) {
  const { machines } = context
  const guest = await machines.lightAgent({ until: 'booted' })
  const host = await machines.lightAgent({ until: 'booted' })
  const stranger = await machines.lightAgent({ until: 'booted' })
  await registerHost(context, guest.id, host.machine, hostIsActive)
  return { guest, host, stranger }
}

interface Activation {
  readonly reply: Reply
  readonly record: Reply
}

/** Registers a guest, sends a deep quote, and reads the record. */
async function vactivate(
  { registrar, verifier, random, version }: Context,
  { guest, host, stranger }: Awaited<ReturnType<typeof registerParties>>,
  { defect, recipe, ip, meanwhile }: Deviation & { readonly ip?: string } = {},
): Promise<Activation> {
  const registration = expectSuccess(
    'registration',
    await guest.register(ip === undefined ? {} : { ip }),
  )
  const tag = await guest.openBlob(registration)
  const otherTag = await guest.openBlob(registration, random.uuid())
  const [ak, ek] = [guest.machine.ak.public, guest.machine.ek.public]
  const change: Recipe = recipe?.({ tag, otherTag, ak, ek, stranger: stranger.machine }) ?? {}
  const text = await deepQuote(
    {
      ...{ nonce: activationNonce(tag, ak, ek), ...change },
      guest: { machine: guest.machine, ...change.guest },
      host: { machine: host.machine, ...change.host },
    },
    version,
  )
  // All of these requests arrive at once if their connections are open.
  if (meanwhile !== undefined)
    await Promise.all(Array.from({ length: AT_ONCE }, () => registrar.read(guest.id, ANONYMOUS)))
  const activation = registrar.call('activate-virtual', {
    params: { agent_id: guest.id },
    body: { deepquote: base64(new TextEncoder().encode(text)) },
    ...(defect === undefined ? {} : { defect }),
  })
  const [reply] = await Promise.all([activation, ...(meanwhile?.(guest.id) ?? [])])
  return { reply, record: await registrar.read(guest.id, verifier.admin) }
}
