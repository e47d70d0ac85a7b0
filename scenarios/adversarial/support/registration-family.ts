import { REFUSED } from '../../../conformance/attempt/check.ts'
import {
  isRefusal,
  isSuccess,
  presentReply,
  type Reply,
  results,
} from '../../../conformance/attempt/reply.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import {
  baselineRegistration,
  loadRegistrationFile,
  type Members,
  type RegistrationVariant,
  registrationBody,
} from '../../../conformance/steps/registration-file.ts'

/** The beginning of a variant's id -> the requirement that its refusal speaks for; the first that fits counts. */
export type RefusalRequirements = Readonly<Record<string, string>>

export interface RegistrationFamily {
  /** Dotted path of the scenario file; every id begins with it. */
  readonly place: string
  readonly requirements: RefusalRequirements
}

const ACCEPTED = 'REG-REGISTER-STATUS'
const ANSWERED = 'REG-REGISTER-ANSWERED'
const SILENT = 'REG-REGISTER-UNUSUAL'

const file = loadRegistrationFile()

/** One scenario for each golden registration, and one for each variant with its golden as passing twin. */
export function registrationFamily(family: RegistrationFamily): readonly Scenario[] {
  return [
    ...Object.keys(file.goldens).map((name) => baselineScenario(family, name)),
    ...file.variants.map((variant) => variantScenario(family, variant)),
  ]
}

export interface BaselineOptions {
  /** A fresh one unless told. */
  readonly agentId?: string
  /** Members in place of the golden's. */
  readonly change?: Members
  /** `agent_id` in a body that should have none. */
  readonly bodyId?: string
}

/** Registers as a golden of the fixture would; what is registered is deleted when the scenario ends. */
export function registerBaseline(
  context: Context,
  baseline: string,
  { agentId = context.random.uuid(), change = {}, bodyId }: BaselineOptions = {},
): Promise<Reply> {
  const extra = bodyId === undefined ? {} : { agent_id: bodyId }
  const isChanged = bodyId !== undefined || Object.keys(change).length > 0
  const defect = isChanged ? 'a change of the scenario' : undefined
  return register(context, { agentId, baseline, change, extra, defect })
}

/** A registration counts as taken when it is answered with 200 and a blob. */
export function checkRegistered({ check }: Context, requirement: string, reply: Reply): void {
  check(requirement, 'HTTP status').of(reply.status).is(200)
  check(requirement, 'blob')
    .of(results(reply, 'blob'))
    .matches('a text', (blob) => typeof blob === 'string')
}

function baselineScenario({ place }: RegistrationFamily, name: string): Scenario {
  return {
    id: `${place}.golden-${name}`,
    title: `The registration that the variants of "${name}" are made from is accepted`,
    requirements: [ACCEPTED],
    role: 'registrar',
    since: '2.1',
    perMajor: true,
    async run(context) {
      checkRegistered(context, ACCEPTED, await registerBaseline(context, name))
    },
  }
}

function variantScenario(family: RegistrationFamily, variant: RegistrationVariant): Scenario {
  const either = variant.outcome === 'either'
  const refusal = either ? undefined : requirementOf(family, variant)
  return {
    id: `${family.place}.${variant.id}`,
    title: `Registration: ${variant.what}`,
    requirements: refusal === undefined ? [ANSWERED, SILENT] : [refusal],
    role: 'registrar',
    since: '2.1',
    perMajor: true,
    variantOf: `${family.place}.golden-${variant.of}`,
    run: (context) =>
      refusal === undefined ? checkSame(context, variant) : checkRefused(context, variant, refusal),
  }
}

function requirementOf({ requirements }: RegistrationFamily, { id }: RegistrationVariant): string {
  const found = Object.entries(requirements).find(([beginning]) => id.startsWith(beginning))
  if (found === undefined) throw new Error(`the refusal of ${id} speaks for no requirement`)
  return found[1]
}

async function checkRefused(
  context: Context,
  variant: RegistrationVariant,
  requirement: string,
): Promise<void> {
  const { check, registrar, verifier } = context
  const agentId = idOf(context, variant)
  const reply = await send(context, variant, agentId)
  const mayBeIgnored = isForeign(context, variant)
  const [expected, holds] = mayBeIgnored ? REFUSED_OR_IGNORED : REFUSED
  check(requirement, variant.what).of(reply).matches(expected, holds)
  if (mayBeIgnored && isSuccess(reply)) return
  const uuids = results(await registrar.list(verifier.admin), 'uuids')
  check(requirement, 'whether it is listed all the same')
    .of(Array.isArray(uuids) ? uuids.includes(agentId) : undefined)
    .is(false)
}

/** A deployment that takes the EK from the certificate alone need not look at another member (ambiguity EKNOCERT). */
const REFUSED_OR_IGNORED = [
  'accepted with 200 without a look at a member that the dialect lacks, or refused with a 4xx status',
  (reply: Reply) => isAnswer(answerOf(reply, REGISTRATION)),
] as const

function isForeign({ registrar }: Context, { change }: RegistrationVariant): boolean {
  return 'ek_tpm' in change && registrar.dialect['registration-ek'] === 'ekcert-only'
}

/** Where the list of adversarial inputs leaves the answer open, it still has to be one, and the same each time. */
async function checkSame(context: Context, variant: RegistrationVariant): Promise<void> {
  const agentId = idOf(context, variant)
  await checkAnsweredAlike(context, variant.id, variant.what, () => send(context, variant, agentId))
}

/** What an answer that may be either speaks for: that there is one, and which; and when a request counts as taken. */
export interface Either {
  readonly answered: string
  readonly silent: string
  isTaken(reply: Reply): boolean
}

const REGISTRATION: Either = {
  answered: ANSWERED,
  silent: SILENT,
  isTaken: (reply) => reply.status === 200 && typeof results(reply, 'blob') === 'string',
}

/** Asks twice what may be taken or refused: both times there is an answer, and it is the same. */
export async function checkAnsweredAlike(
  { check, observe }: Context,
  key: string,
  what: string,
  ask: () => Promise<Reply>,
  either = REGISTRATION,
): Promise<void> {
  const answers = [answerOf(await ask(), either), answerOf(await ask(), either)]
  for (const answer of answers) {
    check(either.answered, what)
      .of(answer)
      .matches('accepted with 200, or refused with a 4xx status', isAnswer)
  }
  check(either.silent, 'the answer to the same once more').of(answers[1]).is(answers[0])
  observe(key, what, answers[0])
}

function answerOf(reply: Reply, { isTaken }: Either): string {
  if (isTaken(reply)) return 'accepted'
  return isRefusal(reply) ? 'refused' : presentReply(reply)
}

const isAnswer = (answer: string) => answer === 'accepted' || answer === 'refused'

function idOf({ random }: Context, { change }: RegistrationVariant): string {
  const { agent_id } = change
  return typeof agent_id === 'string' ? agent_id : random.uuid()
}

function send(
  context: Context,
  { of, change, what }: RegistrationVariant,
  agentId: string,
): Promise<Reply> {
  return register(context, { agentId, baseline: of, change, extra: {}, defect: what })
}

interface Sending {
  readonly agentId: string
  readonly baseline: string
  readonly change: Members
  readonly extra: Members
  readonly defect: string | undefined
}

async function register(context: Context, sending: Sending): Promise<Reply> {
  const { registrar, verifier, cleanUp } = context
  const { agentId, baseline, change, extra, defect } = sending
  const body = registrationBody(baselineRegistration(baseline), change, registrar.dialect)
  const options = defect === undefined ? {} : { defect }
  const reply = await registrar.register(agentId, { ...body, ...extra }, options)
  if (!isRefusal(reply)) cleanUp(() => registrar.delete(agentId, verifier.admin))
  return reply
}
