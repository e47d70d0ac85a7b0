import type { Reply } from '../../../conformance/attempt/reply.ts'
import {
  ANSWERED,
  EVIDENCE_FAMILIES,
  type EvidenceFamily,
  type EvidenceFile,
  requirementsOf,
  SILENT,
  VALID,
} from '../../../conformance/catalogue/adversarial/evidence-families.ts'
import {
  type AdversarialFile,
  type AdversarialVariant,
  inputsOf,
  loadAdversarialFile,
} from '../../../conformance/catalogue/adversarial/evidence-file.ts'
import {
  type EvidenceForm,
  whyUnread,
} from '../../../conformance/catalogue/adversarial/evidence-forms.ts'
import {
  evidenceRequest,
  travels,
} from '../../../conformance/catalogue/adversarial/evidence-request.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { answerIn, NOT_VALID, validityIn } from '../../../conformance/steps/evidence-validity.ts'

/** The case whose patterns may keep a verifier busy until it answers no other scenario. */
const EXHAUSTING = 74

type Members = Readonly<Record<string, unknown>>

/**
 * Returns one scenario for each baseline of a file, and one for each variant that verify/evidence can carry, with
 * its baseline as passing twin. A refusal is a 4xx or `valid` false; a refused variant must never be valid and
 * never cause a 5xx.
 */
export function evidenceFamily(place: string, fixtures: EvidenceFile): readonly Scenario[] {
  const family: PlacedFamily = { ...EVIDENCE_FAMILIES[fixtures], place }
  const file = loadAdversarialFile(fixtures)
  const baselines = Object.entries(file.baselines).filter(([, baseline]) => travels(baseline))
  const variants = file.variants.filter((variant) => inputsOf(file, variant).every(travels))
  return [
    ...baselines.map(([name, baseline]) => baselineScenario(family, name, baseline)),
    ...variants.map((variant) => variantScenario(family, file, variant)),
  ]
}

/** A family with the dotted path of its scenario file, the prefix of every id. */
type PlacedFamily = EvidenceFamily & { readonly place: string }

function baselineScenario(family: PlacedFamily, name: string, baseline: Members): Scenario {
  const { place, needs, forms = {} } = family
  return {
    id: `${place}.golden-${name}`,
    title: `The verifier accepts the baseline evidence "${name}"`,
    requirements: [VALID],
    role: 'verifier',
    since: '2.4',
    until: '2.5',
    ...(needs && { needs }),
    async run(context) {
      leaveOutUnread(context, forms[name])
      checkValid(context, await send(context, baseline, 'valid evidence'))
    },
  }
}

/** Ends the scenario if the dialect does not support a form that it would send. */
function leaveOutUnread(context: Context, forms: readonly EvidenceForm[] = []): void {
  const unread = whyUnread(forms, context.verifier.dialect)
  if (unread !== undefined) context.notApplicable(unread)
}

function variantScenario(
  family: PlacedFamily,
  file: AdversarialFile,
  variant: AdversarialVariant,
): Scenario {
  const { forms = {} } = family
  const requirements = requirementsOf(family, variant)
  const [requirement] = requirements
  return {
    id: `${family.place}.${variant.id}`,
    title: titleOf(variant),
    requirements,
    role: 'verifier',
    since: '2.5',
    until: '2.5',
    ...(family.needs && { needs: family.needs }),
    variantOf: `${family.place}.golden-${variant.of}`,
    ...(variant.case === EXHAUSTING && { alone: true }),
    async run(context) {
      leaveOutUnread(context, forms[variant.id])
      const inputs = inputsOf(file, variant)
      if (variant.outcome === 'either') return checkSame(context, variant, inputs)
      for (const input of inputs) await checkInput(context, variant, input, requirement)
    },
  }
}

const ANSWERS: Readonly<Record<AdversarialVariant['outcome'], string>> = {
  broken_evidence_chain: 'rejects',
  policy_violation: 'rejects',
  malformed: 'rejects',
  pass: 'accepts',
  either: 'consistently answers',
}

function titleOf({ outcome, what }: AdversarialVariant): string {
  return `The verifier ${ANSWERS[outcome]} evidence: ${what}`
}

async function checkInput(
  context: Context,
  { what, outcome }: AdversarialVariant,
  input: Members,
  requirement: string,
): Promise<void> {
  const reply = await send(context, input, what)
  if (outcome === 'pass') return checkValid(context, reply)
  context
    .check(requirement, what)
    .of(answerIn(reply))
    .matches(...NOT_VALID)
}

function checkValid({ check }: Context, reply: Reply): void {
  check(VALID, 'valid').of(validityIn(reply)).is(true)
}

/**
 * Where the adversarial list leaves the answer open, there must still be an answer, and the same one for equivalent
 * inputs.
 */
async function checkSame(
  context: Context,
  { id, what }: AdversarialVariant,
  inputs: readonly Members[],
): Promise<void> {
  const { check, observe } = context
  const answers: unknown[] = []
  for (const input of [...inputs, ...inputs]) {
    const answer = answerIn(await send(context, input, what))
    check(ANSWERED, what)
      .of(answer)
      .matches('`valid` true or false, or a refusal with a 4xx status', isAnswer)
    answers.push(answer)
  }
  const [first] = answers
  check(SILENT, 'the answers to the same and to equivalent evidence')
    .of(answers)
    .is(answers.map(() => first))
  observe(id, 'the answer', first)
}

const [, isNotValid] = NOT_VALID
const isAnswer = (answer: unknown) => answer === true || isNotValid(answer)

function send({ verifier }: Context, input: Members, defect: string): Promise<Reply> {
  return verifier.verifyEvidence(evidenceRequest(input), defect)
}
