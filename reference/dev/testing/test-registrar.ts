import { onTestFinished } from 'vitest'
import type { RegistrarOperation } from '../../api/routes/registrar.ts'
import { DOCUMENTED_VERSIONS } from '../../api/versions.ts'
import type { LookUpHost } from '../../http-client/look-up-registration.ts'
import type { CertificateSettings } from '../../registrar/check-certificate.ts'
import { registrarOperations } from '../../registrar/operations.ts'
import { REGISTRATION_RECORD } from '../../registrar/present-registration.ts'
import type { RegistrarParts } from '../../registrar/registrar-parts.ts'
import { registrationRules } from '../../registrar/registration-rules.ts'
import { openRegistrarDatabase } from '../../storage/databases/database.ts'
import { type RegistrarStore, registrarStore } from '../../storage/registrar-store.ts'
import { callOf } from './call-of.ts'
import { KEYS } from './certificates/recorded-keys.ts'
import { seededRandom } from './seeded-random.ts'
import { settableClock } from './settable-clock.ts'

/** A registrar in memory, asked without HTTP. */
interface TestRegistrar {
  readonly store: RegistrarStore
  readonly parts: RegistrarParts
  /** Warnings for the operator. */
  readonly warnings: readonly string[]
  ask(operation: RegistrarOperation, body?: unknown, agentId?: string): Promise<Answered>
  /** Registers as the 2.x path does, with some members changed. */
  register(change?: Readonly<Record<string, unknown>>, agentId?: string): Promise<Answered>
  /** Activates with the tag that the TPM would find in the last blob. */
  activate(agentId?: string): Promise<Answered>
}

interface Answered {
  readonly body?: unknown
}

export const AGENT = 'd432fbb3-d2f1-4a97-9ef7-75bd81c00000'

/** The registration of the recorded boot's TPM. */
export const REGISTRATION = {
  aik_tpm: KEYS.akRsa,
  ekcert: KEYS.ekcert,
  ip: '192.0.2.1',
  port: '9002',
}

/** The default certificate settings of the shipped registrar. */
const CERTIFICATES: CertificateSettings = {
  store: undefined,
  requireEkCertificate: false,
  malformed: 'warn',
  identity: 'default',
}

export async function testRegistrar(
  certificates: Partial<CertificateSettings> = {},
  lookUpHost?: LookUpHost,
): Promise<TestRegistrar> {
  const store = registrarStore(await openRegistrarDatabase(':memory:'))
  onTestFinished(() => store.close())
  const warnings: string[] = []
  const parts: RegistrarParts = {
    ...{ store, random: seededRandom(), clock: settableClock() },
    rules: registrationRules,
    registration: REGISTRATION_RECORD,
    lookUpHost,
    certificates: { ...CERTIFICATES, ...certificates },
    warn: (sentence) => warnings.push(sentence),
  }
  const operations = registrarOperations(parts, DOCUMENTED_VERSIONS)
  const ask: TestRegistrar['ask'] = async (operation, body, agent_id = AGENT) =>
    operations[operation](callOf({ agent_id }, body))
  return {
    ...{ store, parts, warnings, ask },
    register: (change = {}, agentId = AGENT) =>
      ask('register-agent', { ...REGISTRATION, ...change }, agentId),
    async activate(agentId = AGENT) {
      const row = await store.find(agentId)
      return ask('activate-agent', { auth_tag: row?.expected_tag }, agentId)
    },
  }
}
