import { REFUSED } from '../../../conformance/attempt/check.ts'
import {
  attributes,
  isRefusal,
  isSuccess,
  presentReply,
  type Reply,
} from '../../../conformance/attempt/reply.ts'
import { collectEvidence, type Negotiation } from '../../../conformance/client/agents/evidence.ts'
import type { PushAgent } from '../../../conformance/client/agents/push-agent.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import {
  type FormRow,
  type FormTable,
  formCell,
  formDefect,
  inForm,
  loadForms,
} from './load-forms.ts'

type Agent = PushAgent<AttestingMachine>

const FORMS = loadForms()
const NO_INDEX = 'ATT-INDEX-ASSIGNED'
const STAYS = 'ATT-STAGE-REFUSED-STAYS'

const TITLES = {
  capabilities: [
    'The verifier accepts capabilities in each valid form',
    'The verifier opens no attestation for unreadable capabilities',
  ],
  evidence: [
    'The verifier evaluates evidence in each valid form',
    'The verifier does not pass unreadable evidence',
  ],
} as const

/**
 * Returns two scenarios for each of the two documents of a push agent: one with the valid forms, one with the
 * others.
 */
export function formsFamily(place: string): readonly Scenario[] {
  return (['capabilities', 'evidence'] as const).flatMap((table) => {
    const good = FORMS[table].filter(({ ends }) => ends !== 'refused')
    const bad = FORMS[table].filter(({ ends }) => ends === 'refused')
    const [accepted, refused] = TITLES[table]
    const id = `${place}.${table}`
    return [
      formsScenario(`${id}.accepted`, accepted, table, good),
      { ...formsScenario(`${id}.refused`, refused, table, bad), variantOf: `${id}.accepted` },
    ]
  })
}

function formsScenario(
  id: string,
  title: string,
  table: FormTable,
  rows: readonly FormRow[],
): Scenario {
  const ask = table === 'capabilities' ? askCapabilities : askEvidence
  return {
    id,
    title,
    requirements: [...new Set([...rows.map(({ says }) => says), NO_INDEX, STAYS])],
    role: 'verifier',
    since: '3.0',
    needs: ['ima_log'],
    matrix: { name: 'forms', cells: () => rows.map((row) => formCell(table, row)) },
    async run(context) {
      const asked = rows.filter((row) => context.asks(formCell(table, row)))
      await ask(context, await context.machines.softAgent(), asked)
    },
  }
}

async function askCapabilities(
  context: Context,
  agent: Agent,
  rows: readonly FormRow[],
): Promise<void> {
  const { verifier, check } = context
  let opened = false
  for (const row of rows) {
    const reply = await verifier.patiently(() =>
      verifier.call('negotiate', {
        as: agent.credentials,
        params: { agent_id: agent.id },
        body: inForm(agent.capabilities(), row), // the defect
        ...formDefect(row),
      }),
    )
    checkAnswer(context, 'capabilities', row, reply)
    opened ||= isSuccess(reply)
  }
  if (opened || !rows.every(({ ends }) => ends === 'refused')) return
  check(NO_INDEX, 'an attestation afterwards')
    .of(await verifier.attestation(agent.id, 'latest'))
    .matches(...REFUSED)
}

/**
 * Refused evidence leaves its attestation open for the next form; other evidence ends it. Evidence that passed against
 * the table has used up its measurement list, so the next form is sent by another agent.
 */
async function askEvidence(
  context: Context,
  first: Agent,
  rows: readonly FormRow[],
): Promise<void> {
  let agent = first
  let waiting: Negotiation | undefined
  for (const row of rows) {
    const negotiation: Negotiation = waiting ?? (await agent.negotiate())
    const reply = await submitForm(context, agent, negotiation, row)
    waiting = undefined
    if (isSuccess(reply)) {
      const isExpected = checkVerdict(context, row, await agent.verdict(negotiation))
      if (!isExpected) agent = await context.machines.softAgent()
    } else {
      checkAnswer(context, 'evidence', row, reply)
      if (row.ends === 'accepted' || !isRefusal(reply)) continue
      await checkStays(context, agent, negotiation)
      waiting = negotiation
    }
  }
}

async function submitForm(
  { verifier }: Context,
  agent: Agent,
  negotiation: Negotiation,
  row: FormRow,
): Promise<Reply> {
  const body = await collectEvidence(agent.machine, negotiation, {}, verifier.dialect)
  return verifier.call('submit', {
    as: agent.credentials,
    params: { agent_id: agent.id, index: negotiation.index },
    body: inForm(body, row), // the defect
    ...formDefect(row),
  })
}

async function checkStays(
  { verifier, check }: Context,
  agent: Agent,
  { index }: Negotiation,
): Promise<void> {
  check(STAYS, 'stage after a refusal')
    .of(attributes(await verifier.attestation(agent.id, index), 'stage'))
    .is('awaiting_evidence')
}

const VERDICTS = { accepted: ['pass'], refused: ['fail'], either: ['pass', 'fail'] } as const

function checkVerdict({ check, observe }: Context, row: FormRow, seen: Reply): boolean {
  const evaluation = attributes(seen, 'evaluation')
  if (row.ends === 'either') observe('forms', row.id, evaluation)
  return check(row.says, row.id, formCell('evidence', row))
    .of(evaluation)
    .isOneOf(VERDICTS[row.ends])
}

function checkAnswer(
  { check, observe }: Context,
  table: FormTable,
  row: FormRow,
  reply: Reply,
): void {
  const about = check(row.says, row.id, formCell(table, row)).of(reply)
  const success = table === 'capabilities' ? 201 : 202
  if (row.ends === 'accepted') about.matches(`HTTP ${success}`, ({ status }) => status === success)
  else if (row.ends === 'refused') about.matches(...REFUSED)
  else about.meets({ accepted: isSuccess, refused: isRefusal })
  if (row.ends === 'either') observe('forms', row.id, presentReply(reply))
}
