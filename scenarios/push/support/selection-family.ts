import {
  at,
  attributes,
  isRefusal,
  listOf,
  type Reply,
} from '../../../conformance/attempt/reply.ts'
import type { PushAgent } from '../../../conformance/client/agents/push-agent.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import type { AttestingMachine } from '../../../simulator/machine/unbooted-machine.ts'
import { editMember } from './edit-member.ts'
import {
  choosable,
  claimsTooMuch,
  loadSelection,
  SELECTION_MEMBERS,
  type SelectionRow,
  type SelectionTable,
} from './load-selection.ts'

const ACCEPTED = 'ATT-SELECTION-ACCEPTED'
const SELECTION = loadSelection()

type Agent = PushAgent<AttestingMachine>

/** Returns two scenarios each for schemes and hashes: lists with and without a common name. */
export function selectionFamily(place: string): readonly Scenario[] {
  return (['schemes', 'hashes'] as const).flatMap((table) => {
    const common = SELECTION[table].filter((row) => choosable(table, row).length > 0)
    const none = SELECTION[table].filter((row) => choosable(table, row).length === 0)
    const id = `${place}.${table}`
    return [
      selectionScenario(
        `${id}.common`,
        `The verifier chooses from ${table} that are accepted, offered and allowed`,
        table,
        common,
      ),
      {
        ...selectionScenario(
          `${id}.none`,
          `The verifier requests no quote without common ${table}`,
          table,
          none,
        ),
        variantOf: `${id}.common`,
      },
    ]
  })
}

function selectionScenario(
  id: string,
  title: string,
  table: SelectionTable,
  rows: readonly SelectionRow[],
): Scenario {
  return {
    id,
    title,
    requirements: [SELECTION_MEMBERS[table].says, ACCEPTED],
    role: 'verifier',
    since: '3.0',
    matrix: { name: 'selection', cells: () => rows.map((row) => cellOf(table, row)) },
    async run(context) {
      for (const row of rows)
        if (context.asks(cellOf(table, row))) await askRow(context, table, row)
    },
  }
}

function cellOf(table: SelectionTable, { id }: SelectionRow): string {
  return `${table}: ${id}`
}

async function askRow(context: Context, table: SelectionTable, row: SelectionRow): Promise<void> {
  const { check, observe } = context
  const { chosen, says } = SELECTION_MEMBERS[table]
  const usable = choosable(table, row)
  const cell = cellOf(table, row)
  const agent = await accepting(context, table, row)
  const reply = isAdded(agent) ? await offer(context, table, row, agent) : agent
  const choice = at(quoteOf(reply), 'chosen_parameters', chosen)
  if (usable.length === 0) {
    check(ACCEPTED, `answer to ${row.offered}, of which none may be chosen`, cell) // the defect
      .of(reply)
      .matches('a refusal, or a request for no quote', (one) => isRefusal(one) || isWithout(one))
    return
  }
  if (claimsTooMuch(table, row) && isRefusal(reply)) {
    check(ACCEPTED, `answer to a key that allows ${row.allowed}`, cell)
      .of(reply)
      .matches('a refusal, or a choice among the possible ones', isRefusal)
    return
  }
  const isOffered = check(says, chosen, cell).of(choice).isOneOf(row.offered)
  if (!isOffered) return
  check(ACCEPTED, chosen, cell).of(choice).isOneOf(usable)
  if (usable.length === 1 || !isAdded(agent)) return
  observe('selection', `${chosen} of ${row.offered}`, choice)
  const others = usable.filter((name) => name !== choice)
  const later = await offer(context, table, { ...row, offered: others }, agent)
  check(says, `${chosen} of the same agent, which later offers ${others}`, cell)
    .of(at(quoteOf(later), 'chosen_parameters', chosen))
    .isOneOf(others)
}

/** Adds an agent that accepts these; returns the answer if it is not added. */
async function accepting(
  { machines }: Context,
  table: SelectionTable,
  row: SelectionRow,
): Promise<Agent | Reply> {
  const agent = await machines.softAgent({ until: 'activated' })
  const added = await agent.enrol({ [SELECTION_MEMBERS[table].accepted]: row.accepted })
  if (isRefusal(added)) return added
  await agent.logIn()
  return agent
}

function isAdded(agent: Agent | Reply): agent is Agent {
  return 'capabilities' in agent
}

/** Returns the answer to the offer of the row. */
function offer(
  { verifier }: Context,
  table: SelectionTable,
  row: SelectionRow,
  agent: Agent,
): Promise<Reply> {
  const members = SELECTION_MEMBERS[table]
  const quote = ['data', 'attributes', 'evidence_supported', 'tpm_quote', 'capabilities']
  const key = [...quote, 'certification_keys', '0']
  const offered = editMember(agent.capabilities(), [...quote, members.offered], row.offered)
  const allowed = editMember(offered, [...key, members.allowed], row.allowed)
  const bare = row.without ? editMember(allowed, [...key, row.without], undefined) : allowed
  const body = inBanks(bare, [...quote, 'available_subjects'], row, table)
  const call = { as: agent.credentials, params: { agent_id: agent.id }, body }
  return verifier.patiently(() => verifier.call('negotiate', call))
}

/** Dialects that offer PCRs by bank list them for each hash. */
function inBanks(
  body: unknown,
  path: readonly string[],
  { offered }: SelectionRow,
  table: SelectionTable,
): unknown {
  if (table === 'schemes') return body
  const pcrs = Array.from({ length: 24 }, (_, pcr) => pcr)
  return editMember(body, path, (subjects: unknown) =>
    Array.isArray(subjects) ? subjects : Object.fromEntries(offered.map((bank) => [bank, pcrs])),
  )
}

function quoteOf(reply: Reply): unknown {
  const requested = listOf(attributes(reply, 'evidence_requested')) ?? []
  return requested.find((item) => at(item, 'evidence_type') === 'tpm_quote')
}

function isWithout(reply: Reply): boolean {
  return reply.status === 201 && quoteOf(reply) === undefined
}
