import { isRefusal } from '../../../conformance/attempt/reply.ts'
import { expectSuccess } from '../../../conformance/client/agents/expect-success.ts'
import { type Action, type Attempt, presence, type Stage } from './action.ts'

function plain(path: string): Action {
  return async ({ context, agent }) => ({
    agent,
    send: (as) => context.registrar.get(path, { as }),
  })
}

async function register({ context, agent }: Stage): Promise<Attempt> {
  const { registrar, verifier, random, cleanUp } = context
  const agentId = random.uuid()
  const body = registrar.registrationOf(agent.machine)
  return {
    agent,
    once: true,
    async send(as) {
      const reply = await registrar.register(agentId, body, { as })
      if (!isRefusal(reply)) cleanUp(() => registrar.delete(agentId, verifier.admin))
      return reply
    },
  }
}

async function activate({ context, newAgent }: Stage): Promise<Attempt> {
  const { registrar } = context
  const agent = await newAgent({ registered: false })
  const registration = expectSuccess('registration', await agent.register())
  const request = {
    params: { agent_id: agent.id },
    body: { auth_tag: await agent.openBlob(registration) },
  }
  return { agent, once: true, send: (as) => registrar.call('activate', { ...request, as }) }
}

const list: Action = async ({ context, agent }) => ({
  agent,
  reads: true,
  send: (as) => context.registrar.list(as),
})

const read: Action = async ({ context, agent }) => ({
  agent,
  reads: true,
  send: (as) => context.registrar.read(agent.id, as),
})

async function remove({ context, newAgent }: Stage): Promise<Attempt> {
  const agent = await newAgent()
  const { registrar, verifier } = context
  return {
    agent,
    once: true,
    send: (as) => registrar.delete(agent.id, as),
    look: async () => ({
      what: 'the record after refused deletions',
      received: presence(await registrar.read(agent.id, verifier.admin)),
      expected: 'there',
    }),
  }
}

/** Every registrar operation, by its name in the matrix. */
export const REGISTRAR_ACTIONS: Readonly<Record<string, Action>> = {
  version: plain('/version'),
  versions: plain('/versions'),
  root: plain('/'),
  probe: async ({ context, agent }) => ({
    agent,
    send: (as) => context.registrar.call('probe', { as }),
  }),
  register,
  activate,
  list,
  read,
  delete: remove,
}
