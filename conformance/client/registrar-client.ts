import type { Machine } from '../../simulator/machine.ts'
import { ComponentClient, type ComponentOptions } from './component-client.ts'
import type { Speaker } from './identity.ts'
import { REGISTRAR_OPERATIONS } from './operations.ts'
import { registrationOf } from './registration.ts'
import type { Reply } from './reply.ts'

type Row = (typeof REGISTRAR_OPERATIONS)[number]

/** The registrar under judgement. */
export class RegistrarClient extends ComponentClient<Row> {
  readonly #version: string

  constructor(options: Omit<ComponentOptions, 'prefixOf'>) {
    super(REGISTRAR_OPERATIONS, { ...options, prefixOf: (version) => `/v${version}` })
    this.#version = options.version
  }

  /** Body of a registration of that machine. */
  registrationOf(machine: Machine): Readonly<Record<string, unknown>> {
    return registrationOf(machine, this.dialect)
  }

  /** Registers; the id stands in the path up to 2.5 and in the body in 3.0. */
  register(agentId: string, body: Readonly<Record<string, unknown>>, as?: Speaker): Promise<Reply> {
    const idInBody = this.#version === '3.0' ? { agent_id: agentId, ...body } : body
    return this.call('register', {
      params: { agent_id: agentId },
      body: idInBody,
      ...(as && { as }),
    })
  }

  activate(agentId: string, authTag: string): Promise<Reply> {
    return this.call('activate', { params: { agent_id: agentId }, body: { auth_tag: authTag } })
  }

  list(as: Speaker): Promise<Reply> {
    return this.call('list', { as })
  }

  read(agentId: string, as: Speaker): Promise<Reply> {
    return this.call('read', { params: { agent_id: agentId }, as })
  }

  delete(agentId: string, as: Speaker): Promise<Reply> {
    return this.call('delete', { params: { agent_id: agentId }, as })
  }
}
