import { NotApplicable } from '../attempt/endings.ts'
import type { Reply } from '../attempt/reply.ts'
import {
  compareVersions,
  type OperationRow,
  prefixesOf,
  REGISTRAR_OPERATIONS,
  type RegistrarOperation,
} from '../catalogue/routes/operations.ts'
import { type Registered, registrationOf } from './agents/registration.ts'
import { type CallOptions, ComponentClient, type ComponentOptions } from './component-client.ts'
import type { Credentials } from './identity.ts'

type Row = OperationRow<RegistrarOperation>

interface RegistrarOptions extends Omit<ComponentOptions, 'prefixOf'> {
  /** Whether the registrar is the subject, and not only part of the setup. */
  readonly isUnderTest: boolean
  /** URL without TLS; undefined if the target file has none. */
  readonly plainUrl?: string | undefined
  /** URL of the provider's registrar; undefined if the target file has none. */
  readonly providerUrl?: string | undefined
}

/** The version in which agents register. */
function versionOfAgents({ version, versions, dialect }: RegistrarOptions): string {
  if (dialect['push-registration'] === 'same') return version
  const legacy = versions.filter((one) => one.startsWith('2.')).toSorted(compareVersions)
  return version.startsWith('2.') ? version : (legacy.at(-1) ?? version)
}

/** Client of the registrar under test. */
export class RegistrarClient extends ComponentClient<Row> {
  readonly #version: string
  readonly #options: RegistrarOptions

  constructor(options: RegistrarOptions) {
    const version = options.isUnderTest ? options.version : versionOfAgents(options)
    const prefixOf = (one: string) => prefixesOf('registrar', one, options.dialect)[0] ?? ''
    super('registrar', REGISTRAR_OPERATIONS, { ...options, version, prefixOf })
    this.#version = version
    this.#options = options
  }

  /** The same registrar without TLS. @throws {NotApplicable} if the target file has no such URL */
  withoutTls(): RegistrarClient {
    const { plainUrl } = this.#options
    if (plainUrl === undefined)
      throw new NotApplicable('the target file has no http for the registrar')
    return new RegistrarClient({ ...this.#options, url: plainUrl })
  }

  /** The registrar where the hosts of virtual TPMs are registered. @throws {NotApplicable} if the target file has none */
  atProvider(): RegistrarClient {
    const { providerUrl } = this.#options
    if (providerUrl === undefined)
      throw new NotApplicable('the target file has no variant provider of the registrar')
    return new RegistrarClient({ ...this.#options, url: providerUrl })
  }

  /** Body of a registration of the machine. */
  registrationOf(machine: Registered): Readonly<Record<string, unknown>> {
    return registrationOf(machine, this.dialect)
  }

  /** Registers an agent. The id is in the path up to 2.5, and in the body in 3.0. */
  register(
    agentId: string,
    body: Readonly<Record<string, unknown>>,
    options: Pick<CallOptions, 'as' | 'defect'> = {},
  ): Promise<Reply> {
    const idInBody = this.#version === '3.0' ? { agent_id: agentId, ...body } : body
    return this.call('register', { params: { agent_id: agentId }, body: idInBody, ...options })
  }

  activate(agentId: string, authTag: string): Promise<Reply> {
    return this.call('activate', { params: { agent_id: agentId }, body: { auth_tag: authTag } })
  }

  list(as: Credentials): Promise<Reply> {
    return this.call('list', { as })
  }

  read(agentId: string, as: Credentials): Promise<Reply> {
    return this.call('read', { params: { agent_id: agentId }, as })
  }

  delete(agentId: string, as: Credentials): Promise<Reply> {
    return this.call('delete', { params: { agent_id: agentId }, as })
  }
}
