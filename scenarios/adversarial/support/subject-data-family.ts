import { refused } from '../../../conformance/attempt/check.ts'
import { attributes, presentReply } from '../../../conformance/attempt/reply.ts'
import type { PcrValues } from '../../../conformance/client/agents/subject-data.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'

/** One defect in `subject_data`; the outcome is a refusal, or open. */
interface Spelling {
  readonly id: string
  readonly what: string
  readonly edit: (values: PcrValues) => PcrValues
  readonly outcome: 'refused' | 'either'
}

const IMA_PCR = '10'
const ZEROS = '00'.repeat(32)

const renamed =
  (key: string) =>
  ({ [IMA_PCR]: ten = '', ...others }: PcrValues): PcrValues => ({ ...others, [key]: ten })

const added =
  (key: string, value = ZEROS) =>
  (values: PcrValues): PcrValues => ({ ...values, [key]: value })

const valued =
  (change: (value: string) => string) =>
  (values: PcrValues): PcrValues => ({ ...values, [IMA_PCR]: change(values[IMA_PCR] ?? '') })

/** Cases 39, 41 and 43 over the endpoint. The fixtures have the same defects over a fixed nonce. */
const SPELLINGS: readonly Spelling[] = [
  {
    id: 'e4-39-twice-other',
    what: 'PCR 10 is there twice, as "10" and as "010", with two values',
    edit: added('010'),
    outcome: 'refused',
  },
  {
    id: 'e4-41-pcr-7',
    what: 'PCR 7 is claimed as zeros, and was not quoted',
    edit: added('7'),
    outcome: 'refused',
  },
  {
    id: 'e4-43-key-010',
    what: 'The key of PCR 10 is "010"',
    edit: renamed('010'),
    outcome: 'either',
  },
  {
    id: 'e4-43-key-hex',
    what: 'The key of PCR 10 is "0x0a"',
    edit: renamed('0x0a'),
    outcome: 'either',
  },
  { id: 'e4-43-key-24', what: 'There is a key "24" too', edit: added('24'), outcome: 'refused' },
  {
    id: 'e4-43-key-negative',
    what: 'There is a key "-1" too',
    edit: added('-1'),
    outcome: 'refused',
  },
  {
    id: 'e4-43-key-proto',
    what: 'There is a key "__proto__" too',
    edit: added('__proto__'),
    outcome: 'refused',
  },
  {
    id: 'e4-43-value-upper-case',
    what: 'The value of PCR 10 is in upper case',
    edit: valued((value) => value.toUpperCase()),
    outcome: 'either',
  },
  {
    id: 'e4-43-value-odd',
    what: 'The value of PCR 10 is a digit too short',
    edit: valued((value) => value.slice(1)),
    outcome: 'refused',
  },
  {
    id: 'e4-43-value-of-20',
    what: 'The value of PCR 10 is 20 bytes long',
    edit: valued((value) => value.slice(0, 40)),
    outcome: 'refused',
  },
]

const MUTATED = 'ATT-EVIDENCE-BENT'
const ANSWERED = 'ATT-EVIDENCE-JUDGED'

/**
 * Returns a scenario for each unusual spelling of the PCR values that a push agent sends, if the dialect sends them
 * by key.
 */
export function subjectDataFamily(place: string): readonly Scenario[] {
  return SPELLINGS.map((spelling) => ({
    id: `${place}.${spelling.id}`,
    title: `The verifier ${spelling.outcome === 'refused' ? 'rejects' : 'answers'} evidence: ${spelling.what}`,
    requirements: [spelling.outcome === 'refused' ? MUTATED : ANSWERED],
    role: 'verifier',
    since: '3.0',
    needs: ['ima_log'],
    variantOf: 'push.evidence.accepted',
    run: (context) => checkSpelling(context, spelling),
  }))
}

async function checkSpelling(
  context: Context,
  { id, what, edit, outcome }: Spelling,
): Promise<void> {
  const { verifier, machines, check, observe, notApplicable } = context
  if (verifier.dialect['subject-data'] !== 'object') {
    notApplicable('the dialect sends PCR values as one blob, without keys')
  }
  const agent = await machines.pushAgent()
  const negotiation = await agent.negotiate()
  const reply = await agent.submit(negotiation, { subjects: edit, says: what }) // the defect
  const answer = refused(reply)
    ? 'refused'
    : reply.status === 202
      ? String(attributes(await agent.verdict(negotiation), 'evaluation'))
      : presentReply(reply)
  if (outcome === 'refused') check(MUTATED, what).of(answer).isOneOf(['refused', 'fail'])
  else {
    check(ANSWERED, what).of(answer).isOneOf(['refused', 'fail', 'pass'])
    observe(id, what, answer)
  }
}
