import { REFUSED as A_REFUSAL } from '../../../conformance/attempt/check.ts'
import {
  isRefusal,
  isSuccess,
  presentReply,
  type Reply,
} from '../../../conformance/attempt/reply.ts'
import type { PushAgent } from '../../../conformance/client/agents/push-agent.ts'
import type { Context, Scenario } from '../../../conformance/scenario.ts'
import { internalsIn } from './error-family.ts'
import { cellOf, cellsOf } from './http-table.ts'
import { type Document, type DocumentRow, PUSH_DOCUMENTS } from './push-documents.ts'

const REFUSED = 'HTTP-DOCUMENT-REFUSED'
const ANSWERED = 'HTTP-DOCUMENT-ANSWERED'
const NO_INTERNALS = 'HTTP-ERROR-TELLS-NOTHING'

const TITLES = {
  shapes: 'The verifier opens no attestation for a capabilities document of another shape',
  offers: 'The verifier opens no attestation for an unreadable offer of evidence',
} as const

/** Cases 108 and 109: documents of the push model, sent by an agent with its token. */
export function pushDocumentFamily(place: string): readonly Scenario[] {
  return (['shapes', 'offers'] as const).map((group) => ({
    id: `${place}.${group}`,
    title: TITLES[group],
    requirements: [REFUSED, ANSWERED, NO_INTERNALS],
    role: 'verifier',
    since: '3.0',
    needs: ['ima_log'],
    variantOf: 'push.evidence.accepted',
    matrix: { name: 'http', cells: cellsOf('verifier', group, PUSH_DOCUMENTS[group]) },
    run: (context) => checkDocuments(context, group),
  }))
}

async function checkDocuments(context: Context, group: 'shapes' | 'offers'): Promise<void> {
  const { machines, verifier, version, check, observe } = context
  const agent = await machines.pushAgent()
  const cell = ({ id }: DocumentRow) => cellOf('verifier', group, id, version)
  const rows = PUSH_DOCUMENTS[group].filter((row) => context.asks(cell(row)))
  let opened = false
  for (const row of rows.filter(({ ends }) => ends === 'refused')) {
    const reply = await sendDocument(context, agent, row)
    check(REFUSED, row.says, cell(row))
      .of(reply)
      .matches(...A_REFUSAL)
    check(NO_INTERNALS, `internals revealed by the answer to ${row.says}`)
      .of(internalsIn(reply))
      .is([])
    opened ||= isSuccess(reply)
  }
  if (!opened)
    check(REFUSED, 'whether an attestation exists')
      .of(await verifier.attestation(agent.id, 'latest'))
      .matches(...A_REFUSAL)
  for (const row of rows.filter(({ ends }) => ends === 'either')) {
    const reply = await sendDocument(context, agent, row)
    check(ANSWERED, row.says, cell(row))
      .of(reply)
      .matches('a success, or a refusal', (seen) => isSuccess(seen) || isRefusal(seen))
    observe(`${group}.${row.id}`, row.says, presentReply(reply))
  }
  const { reply } = await agent.negotiate()
  check(ANSWERED, 'the usual document afterwards').of(reply.status).is(201)
}

function sendDocument(
  { verifier }: Context,
  agent: PushAgent,
  { edit, says }: DocumentRow,
): Promise<Reply> {
  return verifier.call('negotiate', {
    as: agent.credentials,
    params: { agent_id: agent.id },
    body: edit(agent.capabilities() as Document), // the defect
    defect: says,
  })
}
