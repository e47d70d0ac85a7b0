import { REFUSED } from '../../../conformance/attempt/check.ts'
import {
  at,
  attributes,
  isRefusal,
  isSuccess,
  listOf,
  type Reply,
} from '../../../conformance/attempt/reply.ts'
import { attestationIndex } from '../../../conformance/client/agents/evidence.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import {
  type AnswerName,
  loadTransitions,
  type StateRow,
  type TransitionCell,
} from './load-transitions.ts'
import { arrange, readSubject, SENT, type Situation, verdictOf } from './transition-events.ts'

/** Answers that advance or show an attestation; all others are refusals, with these as twins. */
const TAKEN: readonly AnswerName[] = ['begun', 'taken', 'shown']
const UNMOVED = 'ATT-MOVES-ONLY'
const UNEVALUATED = 'ATT-SUBMIT-AFTER-VERDICT'

const TRANSITIONS = loadTransitions()

/**
 * Returns two scenarios for each state of an attestation: `taken` sends the events that are answered and advance
 * it, `refused` those that must leave it unchanged, with the other as its passing twin.
 */
export function transitionsFamily(place: string): readonly Scenario[] {
  const states = [...new Set(TRANSITIONS.map(({ state }) => state))]
  return states.flatMap((state) => {
    const own = TRANSITIONS.filter((cell) => cell.state === state)
    const name = `${place}.${state.id.replaceAll(' ', '-')}`
    const taken = own.filter(({ answer }) => TAKEN.includes(answer))
    const refused = own.filter(({ answer }) => !TAKEN.includes(answer))
    return [
      stateScenario(
        `${name}.taken`,
        `The verifier answers valid requests for an attestation (${state.id})`,
        taken,
      ),
      {
        ...stateScenario(
          `${name}.refused`,
          `The verifier leaves an attestation unchanged after invalid requests (${state.id})`,
          refused, // the defect: the event
        ),
        variantOf: `${name}.taken`,
      },
    ]
  })
}

function stateScenario(id: string, title: string, cells: readonly TransitionCell[]): Scenario {
  return {
    id,
    title,
    requirements: [
      ...new Set([...cells.map(({ requirement }) => requirement), UNMOVED, UNEVALUATED]),
    ],
    role: 'verifier',
    since: '3.0',
    matrix: { name: 'transitions', cells: () => cells.map((cell) => cell.id) },
    run: (context) => askAll(context, cells),
  }
}

/** A situation is reused while cells leave it unchanged. */
async function askAll(context: Context, cells: readonly TransitionCell[]): Promise<void> {
  let situation: Situation | undefined
  for (const cell of cells.filter(({ id }) => context.asks(id))) {
    situation ??= await arrange(context, cell.state.id)
    const reply = await askCell(context, cell, situation)
    if (cell.answer === 'second' || (cell.answer !== 'shown' && isSuccess(reply)))
      situation = undefined
  }
}

async function askCell(
  context: Context,
  cell: TransitionCell,
  situation: Situation,
): Promise<Reply> {
  const before = await readSubject(situation)
  const reply = await SENT[cell.event](situation)
  const { check } = context
  CHECKED[cell.answer]({ check, cell, reply, situation })
  if (cell.answer === 'taken') {
    const after = await settled(situation)
    check(cell.requirement, 'final evaluation', cell.id).of(after).is('pass')
  } else if (cell.answer !== 'second') {
    check(UNMOVED, 'stage, verdict and times afterwards', cell.id)
      .of(verdictOf(await readSubject(situation)))
      .is(verdictOf(before))
  } else if (cell.state.evaluation !== undefined) {
    await settled(situation)
    check(UNEVALUATED, 'stage, verdict and times afterwards', cell.id)
      .of(verdictOf(await readSubject(situation)))
      .is(verdictOf(before))
  } else {
    check(UNMOVED, 'final evaluation', cell.id)
      .of(reply.status === 202 ? await settled(situation) : attributes(reply, 'evaluation'))
      .isNot('pass')
  }
  return reply
}

async function settled({ agent, negotiation }: Situation): Promise<unknown> {
  return negotiation && attributes(await agent.verdict(negotiation), 'evaluation')
}

interface SentCell {
  readonly check: Context['check']
  readonly cell: TransitionCell
  readonly reply: Reply
  readonly situation: Situation
}

/** Checks for each kind of answer. */
const CHECKED: Readonly<Record<AnswerName, (sent: SentCell) => unknown>> = {
  begun: ({ check, cell, reply, situation }) =>
    check(cell.requirement, `answer to ${cell.event}`, cell.id)
      .of([reply.status, ...stageAndIndex(reply)])
      .matches('201, awaiting_evidence, and another index', beginsAfter(situation)),
  'begun-or-stopped': ({ check, cell, reply, situation }) =>
    check(cell.requirement, `answer to ${cell.event}`, cell.id)
      .of([reply.status, ...stageAndIndex(reply)])
      .meets({ 'goes on': beginsAfter(situation), 'is stopped': ([status]) => status === 403 }),
  taken: ({ check, cell, reply }) => {
    check(cell.requirement, `answer to ${cell.event}`, cell.id)
      .of([reply.status, attributes(reply, 'stage')])
      .is([202, 'evaluating_evidence'])
  },
  refused: ({ check, cell, reply }) =>
    check(cell.requirement, `answer to ${cell.event}`, cell.id)
      .of(reply)
      .matches(...REFUSED),
  absent: ({ check, cell, reply }) =>
    check(cell.requirement, `answer to ${cell.event}`, cell.id)
      .of(reply)
      .matches(...REFUSED),
  second: ({ check, cell, reply }) =>
    check(cell.requirement, `answer to ${cell.event}`, cell.id)
      .of(reply)
      .meets({ refused: isRefusal, taken: ({ status }) => status === 202 }),
  shown: ({ check, cell, reply }) => {
    const about = check(cell.requirement, `answer to ${cell.event}`, cell.id)
    if (about.of(reply).matches('HTTP 200', ({ status }) => status === 200))
      check(cell.requirement, 'the stages', cell.id)
        .of(stagesOf(reply))
        .matches(shownIn(cell.state), (stages) => isShown(cell.state, stages))
  },
}

function stageAndIndex(reply: Reply): readonly unknown[] {
  return [attributes(reply, 'stage'), attestationIndex(at(reply.body, 'data'))]
}

/** Whether status, stage and index are those of a new attestation. */
function beginsAfter({ negotiation }: Situation) {
  return ([status, stage, index]: readonly unknown[]) =>
    status === 201 &&
    stage === 'awaiting_evidence' &&
    typeof index === 'string' &&
    index !== negotiation?.index
}

function stagesOf({ body }: Reply): readonly unknown[] {
  const data = at(body, 'data')
  return (listOf(data) ?? [data]).map((one) => at(one, 'attributes', 'stage'))
}

function shownIn({ stage }: StateRow): string {
  return stage === undefined ? 'none' : `${stage} among them`
}

function isShown({ stage }: StateRow, stages: readonly unknown[]): boolean {
  return stage === undefined ? stages.length === 0 : stages.includes(stage)
}
