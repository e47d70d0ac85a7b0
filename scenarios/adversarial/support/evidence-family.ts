import { refused } from '../../../conformance/attempt/check.ts'
import { presentReply, type Reply, results } from '../../../conformance/attempt/reply.ts'
import {
  type AdversarialFile,
  type AdversarialVariant,
  inputsOf,
  loadAdversarialFile,
} from '../../../conformance/catalogue/adversarial/evidence-file.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { type EvidenceForm, whyUnread } from './evidence-forms.ts'
import { evidenceRequest, travels } from './evidence-request.ts'

type Members = Readonly<Record<string, unknown>>

export interface EvidenceFamily {
  /** Dotted path of the scenario file; every id begins with it. */
  readonly place: string
  /** Name of the file below `fixtures/adversarial/`. */
  readonly fixtures: string
  /** Case, or id of a variant -> the requirement that its refusals speak for; that of `otherwise` unless told. */
  readonly requirements?: Readonly<Record<number | string, string>>
  /** Golden, or id of a variant -> what not every deployment reads of it; where the dialect says so it is left out. */
  readonly forms?: Readonly<Record<string, readonly EvidenceForm[]>>
  /** Capabilities of the target file. */
  readonly needs?: readonly string[]
  /** Unless told, VER-EVIDENCE-MALFORMED-NOT-VALID of what cannot be read and VER-EVIDENCE-QUOTE-BENT of the rest. */
  readonly otherwise?: string
}

const VALID = 'VER-EVIDENCE-VALID'
const UNREADABLE = 'VER-EVIDENCE-MALFORMED-NOT-VALID'
const MUTATED = 'VER-EVIDENCE-QUOTE-BENT'
const JUDGED = 'VER-EVIDENCE-JUDGED-OR-REFUSED'
const SILENT = 'VER-EVIDENCE-MALFORMED'

/**
 * One scenario for each golden of a file, and one for each variant that verify/evidence can carry, with its golden as
 * passing twin. What has to be refused may be so by a 4xx or by `valid` false; it is never valid, and never a 5xx.
 */
export function evidenceFamily(family: EvidenceFamily): readonly Scenario[] {
  const file = loadAdversarialFile(family.fixtures)
  const goldens = Object.entries(file.goldens).filter(([, baseline]) => travels(baseline))
  const variants = file.variants.filter((variant) => inputsOf(file, variant).every(travels))
  return [
    ...goldens.map(([name, baseline]) => baselineScenario(family, name, baseline)),
    ...variants.map((variant) => variantScenario(family, file, variant)),
  ]
}

function baselineScenario(family: EvidenceFamily, name: string, baseline: Members): Scenario {
  const { place, needs, forms = {} } = family
  return {
    id: `${place}.golden-${name}`,
    title: `The evidence that the variants of "${name}" are made from is valid`,
    requirements: [VALID],
    role: 'verifier',
    since: '2.5',
    until: '2.5',
    ...(needs && { needs }),
    async run(context) {
      leaveOutUnread(context, forms[name])
      checkValid(context, await send(context, baseline, 'sound evidence'))
    },
  }
}

/** Ends the scenario where the dialect has no reader for what it would send. */
function leaveOutUnread(context: Context, forms: readonly EvidenceForm[] = []): void {
  const unread = whyUnread(forms, context.verifier.dialect)
  if (unread !== undefined) context.notApplicable(unread)
}

function variantScenario(
  family: EvidenceFamily,
  file: AdversarialFile,
  variant: AdversarialVariant,
): Scenario {
  const { requirements: named = {}, otherwise = defaultOf(variant), forms = {} } = family
  const requirement = named[variant.id] ?? named[variant.case] ?? otherwise
  return {
    id: `${family.place}.${variant.id}`,
    title: variant.what,
    requirements: requirementsOf(variant, requirement),
    role: 'verifier',
    since: '2.5',
    until: '2.5',
    ...(family.needs && { needs: family.needs }),
    variantOf: `${family.place}.golden-${variant.of}`,
    async run(context) {
      leaveOutUnread(context, forms[variant.id])
      const inputs = inputsOf(file, variant)
      if (variant.outcome === 'either') return checkSame(context, variant, inputs)
      for (const input of inputs) await judgeInput(context, variant, input, requirement)
    },
  }
}

function defaultOf({ outcome }: AdversarialVariant): string {
  return outcome === 'malformed' ? UNREADABLE : MUTATED
}

function requirementsOf({ outcome }: AdversarialVariant, refusal: string): readonly string[] {
  if (outcome === 'pass') return [VALID]
  return outcome === 'either' ? [JUDGED, SILENT] : [refusal]
}

async function judgeInput(
  context: Context,
  { what, outcome }: AdversarialVariant,
  input: Members,
  requirement: string,
): Promise<void> {
  const reply = await send(context, input, what)
  if (outcome === 'pass') return checkValid(context, reply)
  context
    .check(requirement, what)
    .of(answerOf(reply))
    .matches('`valid` false, or a refusal with a 4xx status', isRefusedOrInvalid)
}

function checkValid({ check }: Context, reply: Reply): void {
  check(VALID, 'valid').of(results(reply, 'valid')).is(true)
}

/** Where the list of adversarial inputs leaves the answer open it still is an answer, and one for all that is alike. */
async function checkSame(
  context: Context,
  { id, what }: AdversarialVariant,
  inputs: readonly Members[],
): Promise<void> {
  const { check, observe } = context
  const answers: unknown[] = []
  for (const input of [...inputs, ...inputs]) {
    const answer = answerOf(await send(context, input, what))
    check(JUDGED, what)
      .of(answer)
      .matches('`valid` true or false, or a refusal with a 4xx status', isAnswer)
    answers.push(answer)
  }
  const [first] = answers
  check(SILENT, 'the answers to the same, and to what is alike')
    .of(answers)
    .is(answers.map(() => first))
  observe(id, 'the answer', first)
}

/** What of a reply counts: `valid`, or in words what stands in its place. */
function answerOf(reply: Reply): unknown {
  const valid = results(reply, 'valid')
  if (reply.status === 200) return valid === undefined ? 'HTTP 200 without `valid`' : valid
  return refused(reply) ? 'refused' : presentReply(reply)
}

const isRefusedOrInvalid = (answer: unknown) => answer === false || answer === 'refused'
const isAnswer = (answer: unknown) => answer === true || isRefusedOrInvalid(answer)

function send({ verifier }: Context, input: Members, defect: string): Promise<Reply> {
  return verifier.verifyEvidence(evidenceRequest(input), defect)
}
