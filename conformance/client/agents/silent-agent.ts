import { softKeys } from '../../../simulator/machine/soft-machine.ts'
import { isRefusal, type Reply } from '../../attempt/reply.ts'
import { authTag } from '../bytes.ts'
import { openBlob } from './credential-blob.ts'
import { enrolmentOf } from './enrolment.ts'
import { expectSuccess } from './expect-success.ts'
import type { MachinesOptions } from './machine-options.ts'
import { registrationOf } from './registration.ts'

export interface SilentAgentOptions {
  /** Server certificate in PEM in the registration and the add-agent request. Default `disabled`. */
  readonly mtlsCertificate?: string
}

/** An agent without a machine. Its keys allow registration, activation and addition; it never attests. */
export interface SilentAgent {
  readonly id: string
  register(): Promise<Reply>
  /** Registers and activates the agent. @throws {PrerequisiteFailed} if either fails */
  activate(): Promise<void>
  /** Adds the agent to the verifier as administrator. */
  enrol(): Promise<Reply>
}

/** Makes an agent with soft keys. Cleanup removes it from the subject. */
export async function silentAgent(
  parts: MachinesOptions,
  { mtlsCertificate }: SilentAgentOptions,
): Promise<SilentAgent> {
  const { registrar, verifier, dialect, onCleanup } = parts
  const keys = await softKeys(parts.factory.manufacturer)
  const id = parts.random.uuid()
  const shown = mtlsCertificate === undefined ? {} : { mtls_cert: mtlsCertificate }
  const undo = (step: () => Promise<Reply>) =>
    onCleanup(async () => {
      await step()
    })
  const agent: SilentAgent = {
    id,
    async register() {
      const body = { ...registrationOf(keys, dialect), ...shown }
      const reply = await registrar.register(id, body)
      if (!isRefusal(reply)) undo(() => registrar.delete(id, verifier.admin))
      return reply
    },
    async activate() {
      const registration = expectSuccess('registration', await agent.register())
      const secret = await openBlob(registration, dialect, keys.open)
      expectSuccess('activation', await registrar.activate(id, authTag(secret, id, dialect)))
    },
    async enrol() {
      const enrolment = enrolmentOf({ ima: { entries: [] }, ak: keys.ak }, {}, dialect)
      const reply = await verifier.addAgent(id, { ...enrolment, ...shown })
      if (!isRefusal(reply)) undo(() => verifier.deleteAgent(id))
      return reply
    },
  }
  return agent
}
