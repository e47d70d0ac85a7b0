import { expectSuccess } from '../../../conformance/client/agents/expect-success.ts'
import {
  base64,
  type Context,
  REFUSED,
  type Reply,
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

/** Returns the passing scenario, and one for each fault of a deep quote in the layout of docs/deep-quotes.md. */
export function deepQuoteFamily(place: string): readonly Scenario[] {
  const valid: Scenario = {
    ...COMMON,
    id: `${place}.valid`,
    title: 'The registrar activates an agent with a virtual TPM by a deep quote',
    requirements: [ACTIVATES],
    provesFunction: true,
    async run(context) {
      const { reply, record } = await vactivate(context)
      context.check(ACTIVATES, 'HTTP status of the activation').of(reply.status).is(200)
      context.check(ACTIVATES, 'HTTP status of reading the record').of(record.status).is(200)
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
  return [valid, ...faults, inactive]
}

interface Deviation {
  readonly defect?: string
  readonly recipe?: (typeof DEEP_QUOTE_FAULTS)[number]['recipe']
  readonly hostIsActive?: boolean
}

async function refuses(context: Context, deviation: Deviation): Promise<void> {
  const { reply, record } = await vactivate(context, deviation)
  context
    .check(REFUSES, 'activation')
    .of(reply)
    .matches(...REFUSED)
  context
    .check(REFUSES, 'reading the record')
    .of(record)
    .matches(...REFUSED)
}

interface Activation {
  readonly reply: Reply
  readonly record: Reply
}

/** Registers a guest and its host, sends a deep quote, and reads the record. */
async function vactivate(
  context: Context,
  { defect, recipe, hostIsActive = true }: Deviation = {},
): Promise<Activation> {
  const { registrar, verifier, machines, random, version } = context
  const guest = await machines.lightAgent({ until: 'booted' })
  const host = await machines.lightAgent({ until: 'booted' })
  const stranger = await machines.lightAgent({ until: 'booted' })
  await registerHost(context, guest.id, host.machine, hostIsActive)
  const registration = expectSuccess('registration', await guest.register())
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
  const reply = await registrar.call('activate-virtual', {
    params: { agent_id: guest.id },
    body: { deepquote: base64(new TextEncoder().encode(text)) },
    ...(defect === undefined ? {} : { defect }),
  })
  return { reply, record: await registrar.read(guest.id, verifier.admin) }
}
