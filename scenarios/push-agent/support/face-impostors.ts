import { takenOf } from '../../../conformance/oracle/recording-parts.ts'
import type { PushAgentProcess } from '../../../conformance/peers/push-agent-process.ts'
import type { Context } from '../../../conformance/scenario.ts'
import { CONNECTION_MISBEHAVIOURS } from '../../../simulator/agents/connection-misbehaviours.ts'
import type { Meeting } from '../../../simulator/services/service.ts'
import type { Recipe } from '../../../simulator/x509/recipes.ts'
import { SERVER_IMPOSTORS } from '../../../simulator/x509/server-impostors.ts'

interface Impostor {
  readonly id: string
  readonly says: string
  readonly requirement: string
  readonly recipe?: Recipe
  readonly meeting?: Meeting
}

const meet = (connects: (socket: Parameters<Meeting>[0], other: Meeting) => void): Meeting => {
  return (socket) => {
    socket.on('error', () => socket.destroy())
    connects(socket, () => undefined)
  }
}

const CHECKS = 'PSH-CHECKS-CERTIFICATE'

const IMPOSTORS: readonly Impostor[] = [
  ...Object.entries(SERVER_IMPOSTORS).map(([id, impostor]) => ({
    ...{ id, requirement: CHECKS, ...impostor },
  })),
  {
    id: 'no-tls',
    says: 'missing, as it speaks plain HTTP',
    requirement: 'PSH-NO-CLEAR',
    meeting: meet(CONNECTION_MISBEHAVIOURS['no-tls'].connects),
  },
  {
    id: 'tls-alert',
    says: 'missing, as it ends the handshake with an alert',
    requirement: 'PSH-NO-CLEAR',
    meeting: meet(CONNECTION_MISBEHAVIOURS['tls-alert'].connects),
  },
]

/** Milliseconds for which an impostor stays after the agent reached it. */
const STANDS_MS = 300
/** Impostors that an agent meets before it has reached its verifier. */
const AT_FIRST = ['other-authority', 'self-signed', 'other-name']

/** Exposes the agent to every impostor, first before it reaches its verifier, then in place of a valid verifier. */
export async function faceImpostors(context: Context): Promise<void> {
  const agent = await context.pushAgents.start({ backoffMax: 200 })
  for (const impostor of IMPOSTORS.filter(({ id }) => AT_FIRST.includes(id)))
    await face(context, agent, impostor)
  await beRight(context, agent)
  for (const impostor of IMPOSTORS) await face(context, agent, impostor)
  await beRight(context, agent)
  // A slow agent may send one after its impostor has gone.
  context
    .check('PSH-NO-CLEAR', 'requests without TLS, at any time')
    .of(agent.verifier.clearAttempts)
    .is(0)
}

async function beRight({ check, pushAgents }: Context, agent: PushAgentProcess): Promise<void> {
  agent.verifier.meet(undefined)
  agent.verifier.show(pushAgents.rightCertificate)
  const before = agent.operations.length
  await agent.took('evidence', 1, before)
  check('PSH-STATE-NETWORK-ERROR', 'evidence once the verifier is valid again')
    .of(takenOf(agent.operations.slice(before), 'evidence').length)
    .matches('some', (count) => count > 0)
}

async function face(
  { check, pushAgents, note, elapse }: Context,
  agent: PushAgentProcess,
  { says, requirement, recipe, meeting }: Impostor,
): Promise<void> {
  const { verifier } = agent
  note(`the verifier shows a certificate ${says}`)
  const right = recipe === undefined ? pushAgents.rightCertificate : undefined
  verifier.show(right ?? (await pushAgents.serverCertificate(recipe ?? {})))
  verifier.meet(meeting)
  const [before, clear, connections] = [
    agent.verifier.exchanges.length,
    verifier.clearAttempts,
    verifier.connections,
  ]
  const isMet = () => verifier.connections > connections || agent.process.exitReason() !== undefined
  await agent.until(isMet)
  await elapse(STANDS_MS, 'the impostor stays for')
  const sent = agent.verifier.exchanges.length - before
  check(requirement, `requests to a verifier with a certificate ${says}`).of(sent).is(0)
  check('PSH-NO-CLEAR', 'requests without TLS')
    .of(verifier.clearAttempts - clear)
    .is(0)
}
