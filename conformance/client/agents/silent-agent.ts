import { softKeys } from '../../../simulator/machine/soft-machine.ts'
import { isRefusal, type Reply } from '../../attempt/reply.ts'
import { authTag } from '../bytes.ts'
import { openableBlob } from './credential-blob.ts'
import { enrolmentOf } from './enrolment.ts'
import type { MachinesOptions } from './machine-options.ts'
import { expectSuccess, readBlob } from './push-agent.ts'
import { registrationOf } from './registration.ts'

export interface SilentAgentOptions {
  /** Server certificate in PEM that it registers with and is added with; `disabled` unless told. */
  readonly mtlsCertificate?: string
}

/** An agent without a machine: its keys let it be registered, activated and added, and it will never attest. */
export interface SilentAgent {
  readonly id: string
  register(): Promise<Reply>
  /** Registers and activates; ends the scenario when either fails. */
  activate(): Promise<void>
  /** An administrator adds it at the verifier. */
  enrol(): Promise<Reply>
}

/** Makes an agent of soft keys; what it leaves at the subject goes when the scenario is over. */
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
      const secret = keys.open(openableBlob(readBlob(registration), dialect))
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
