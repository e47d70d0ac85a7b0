import { REFUSED } from '../../../conformance/attempt/check.ts'
import {
  isRefusal,
  isSuccess,
  listOf,
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

/** Prefix of a variant's id -> requirement that its refusal counts for; the first match applies. */
type RefusalRequirements = Readonly<Record<string, string>>

interface RegistrationFamily {
  /** Dotted path of the scenario file; the prefix of every id. */
  readonly place: string
  readonly requirements: RefusalRequirements
}

const ACCEPTED = 'REG-REGISTER-STATUS'
const ANSWERED = 'REG-REGISTER-ANSWERED'
const SILENT = 'REG-REGISTER-UNUSUAL'

const file = loadRegistrationFile()

/** Returns one scenario for each baseline registration, and one for each variant with its baseline as passing twin. */
export function registrationFamily(family: RegistrationFamily): readonly Scenario[] {
  return [
    ...Object.keys(file.baselines).map((name) => baselineScenario(family, name)),
    ...file.variants.map((variant) => variantScenario(family, variant)),
  ]
}

interface BaselineOptions {
  /** A fresh id by default. */
  readonly agentId?: string
  /** Members that replace those of the baseline. */
  readonly change?: Members
  /** `agent_id` in a body that should not have one. */
  readonly bodyId?: string
}

/** Registers the agent of a fixture baseline; deletes it when the scenario ends. */
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

/** A registration succeeds if the status is 200 and a blob is returned. */
export function checkRegistered({ check }: Context, requirement: string, reply: Reply): void {
  check(requirement, 'HTTP status').of(reply.status).is(200)
  check(requirement, 'blob')
    .of(results(reply, 'blob'))
    .matches('a string', (blob) => typeof blob === 'string')
}

function baselineScenario({ place }: RegistrationFamily, name: string): Scenario {
  return {
    id: `${place}.golden-${name}`,
    title: `The registrar accepts the baseline registration "${name}"`,
    requirements: [ACCEPTED],
    role: 'registrar',
    since: '2.1',
    async run(context) {
      checkRegistered(context, ACCEPTED, await registerBaseline(context, name))
    },
  }
}

const ANSWERS: Readonly<Record<RegistrationVariant['outcome'], string>> = {
  refused: 'rejects',
  accepted: 'accepts',
  either: 'consistently answers',
}

function variantScenario(family: RegistrationFamily, variant: RegistrationVariant): Scenario {
  const refusal = variant.outcome === 'refused' ? requirementOf(family, variant) : undefined
  const isLeftOpen = variant.outcome === 'either'
  return {
    id: `${family.place}.${variant.id}`,
    title: `The registrar ${ANSWERS[variant.outcome]} a registration: ${variant.what}`,
    requirements: isLeftOpen ? [ANSWERED, SILENT] : [refusal ?? ACCEPTED],
    role: 'registrar',
    since: '2.1',
    variantOf: `${family.place}.golden-${variant.of}`,
    async run(context) {
      if (refusal !== undefined) return checkRefused(context, variant, refusal)
      if (isLeftOpen) return checkSame(context, variant)
      checkRegistered(context, ACCEPTED, await send(context, variant, idOf(context, variant)))
    },
  }
}

function requirementOf({ requirements }: RegistrationFamily, { id }: RegistrationVariant): string {
  const found = Object.entries(requirements).find(([beginning]) => id.startsWith(beginning))
  if (found === undefined)
    throw new Error(
      `no requirement for the refusal of ${id}; add its prefix to the table of the scenario file`,
    )
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
  const uuids = async () => listOf(results(await registrar.list(verifier.admin), 'uuids'))
  const escaped = encodeURIComponent(agentId)
  const listed = isSuccess(reply) && escaped !== agentId ? await uuids() : undefined
  if (listed?.includes(escaped)) {
    // The id that was registered is another one, with the escapes of the path as its text.
    check(requirement, `whether it is listed without escapes: ${variant.what}`)
      .of(listed.includes(agentId))
      .is(false)
    return
  }
  const received = check(requirement, variant.what).of(reply)
  if (isForeign(context, variant)) received.meets({ refused: isRefusal, ignored: isSuccess })
  else received.matches(...REFUSED)
  if (!isRefusal(reply)) return
  check(requirement, 'whether it is listed despite the refusal')
    .of((await uuids())?.includes(agentId))
    .is(false)
}

/** A deployment that takes the EK from the certificate alone may ignore the other member (ambiguity EKNOCERT). */
function isForeign({ registrar }: Context, { change }: RegistrationVariant): boolean {
  return 'ek_tpm' in change && registrar.dialect['registration-ek'] === 'ekcert-only'
}

/** Where the adversarial list leaves the answer open, there must still be an answer, and the same one each time. */
async function checkSame(context: Context, variant: RegistrationVariant): Promise<void> {
  const agentId = idOf(context, variant)
  await checkAnsweredAlike(context, variant.id, variant.what, () => send(context, variant, agentId))
}

/** Requirements for an answer that may be either, and the test for an accepted request. */
interface Either {
  readonly answered: string
  readonly silent: string
  isTaken(reply: Reply): boolean
}

const REGISTRATION: Either = {
  answered: ANSWERED,
  silent: SILENT,
  isTaken: (reply) => reply.status === 200 && typeof results(reply, 'blob') === 'string',
}

/** Sends a request twice that may be accepted or refused: both must be answered, and alike. */
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
  check(either.silent, 'the answer to the repeated request').of(answers[1]).is(answers[0])
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
