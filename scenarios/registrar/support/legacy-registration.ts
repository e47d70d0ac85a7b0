import { isSuccess, type Reply } from '../../../conformance/attempt/reply.ts'
import type { PushAgent } from '../../../conformance/client/agents/push-agent.ts'
import { SOME_SERVER_CERTIFICATE } from '../../../conformance/client/agents/some-certificate.ts'
import { base64 } from '../../../conformance/client/bytes.ts'
import type { Context } from '../../../conformance/scenario.ts'
import type { LightMachine } from '../../../simulator/machine/stub-machine.ts'
import { nameOf, parseTpm2bPublic, pemOf } from '../../../simulator/tpm/public.ts'
import { toHex } from '../../../simulator/tpm/write.ts'

/** A way of writing a registration of API 2.0, which the document leaves open (ambiguities LEG20 and AKNAME). */
interface LegacyForm {
  readonly aik: 'aik' | 'aik_tpm'
  readonly keys: 'as aik_tpm' | 'otherwise'
  readonly mtlsCert: 'absent' | 'there'
}

const FORMS: readonly LegacyForm[] = (['absent', 'there'] as const).flatMap((mtlsCert) => [
  { aik: 'aik', keys: 'as aik_tpm', mtlsCert },
  { aik: 'aik', keys: 'otherwise', mtlsCert },
  { aik: 'aik_tpm', keys: 'as aik_tpm', mtlsCert },
])

interface LegacyRegistration {
  /** The first form that was accepted; the last one if none was. */
  readonly form: LegacyForm
  readonly reply: Reply
}

/** Registers an agent with the members of the legacy listing, in each form until one is accepted. */
export async function registerLegacy(
  { registrar, cleanUp, verifier }: Pick<Context, 'registrar' | 'cleanUp' | 'verifier'>,
  { id, machine }: PushAgent<LightMachine>,
): Promise<LegacyRegistration> {
  cleanUp(() => registrar.delete(id, verifier.admin))
  let tried: LegacyRegistration | undefined
  for (const form of FORMS) {
    const body = legacyBody(registrar.registrationOf(machine), machine, form)
    const reply = await registrar.register(id, body, { defect: 'the members of API 2.0' })
    tried = { form, reply }
    if (isSuccess(reply)) break
  }
  if (tried === undefined) throw new Error('there is no form of a registration')
  return tried
}

function legacyBody(
  { ekcert }: Readonly<Record<string, unknown>>,
  { ek, ak }: Pick<LightMachine, 'ek' | 'ak'>,
  { aik, keys, mtlsCert }: LegacyForm,
): Readonly<Record<string, unknown>> {
  const write = keys === 'as aik_tpm' ? base64 : (area: Uint8Array) => pemOf(parseTpm2bPublic(area))
  return {
    ek: write(ek.public),
    ekcert,
    [aik]: write(ak.public),
    tpm_version: 2,
    aik_name: toHex(nameOf(ak.public)),
    ek_tpm: base64(ek.public),
    ...(mtlsCert === 'there' ? { mtls_cert: SOME_SERVER_CERTIFICATE } : {}),
  }
}
